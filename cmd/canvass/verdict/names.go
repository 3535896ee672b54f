package verdict

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/usage"
)

// ErrEmptyPattern is about an empty argument, such as an unset variable of a shell.
var ErrEmptyPattern = cli.Usagef("a pattern is empty; leave it out to mean all")

// Matches reports whether a pattern matches a name: the whole of it if the pattern has * or ?, and
// otherwise a part.
func Matches(pattern, name string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(name, pattern)
	}
	quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^" + quoted + "$").MatchString(name)
}

// Meant proposes the closest name for an unknown one, or a wider pattern if no whole name matches.
func Meant(name string, names []string, otherwise string) string {
	if !strings.ContainsAny(name, "*?") {
		return usage.Meant(name, names, otherwise)
	}
	for _, p := range []string{"*" + name, name + "*", "*" + name + "*"} {
		wider := strings.ReplaceAll(p, "**", "*")
		if slices.ContainsFunc(names, func(n string) bool { return Matches(wider, n) }) {
			return fmt.Sprintf("a pattern matches whole names; did you mean %q?", wider)
		}
	}
	return otherwise
}

// Entry is a line of a list: a model or a scenario.
type Entry struct{ Name, Expected, Doc string }

const (
	longestName  = 40 // a longer one has a separate line
	narrowestDoc = 24
)

// List writes a line for each entry, as wide as the terminal is: the rest continues in the next
// line.
func List(out *cli.Output, title string, all []Entry) error {
	width := len(title)
	for _, e := range all {
		if n := utf8.RuneCountInString(e.Name); n <= longestName {
			width = max(width, n)
		}
	}
	const expected = len("EXPECTED")
	indent := width + 2 + expected + 2
	columns := max(cli.ColumnsOf(out)-indent, narrowestDoc)
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  EXPECTED  WHAT HAPPENS\n", width, title)
	for _, e := range all {
		name := e.Name
		if utf8.RuneCountInString(name) > width {
			b.WriteString(name + "\n")
			name = ""
		}
		lines := cli.Wrap(e.Doc, columns)
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", width, name, expected, e.Expected, lines[0])
		for _, line := range lines[1:] {
			b.WriteString(strings.Repeat(" ", indent) + line + "\n")
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
