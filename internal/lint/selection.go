package lint

import (
	"fmt"
	"regexp"
	"strings"
)

// tracePattern is the name of a trace of the corpus in backquotes.
var tracePattern = regexp.MustCompile("`([a-z][\\w@+-]*\\.[A-Z]\\w+)`")

// checkSelection demands that each row of the table of bugs in README.md has its row in
// docs/findings.md: the same trace with the same number of steps.
func checkSelection(t *Tree, _ House) []Finding {
	r := &report{tree: t}
	findings, _ := t.file("docs/findings.md")
	readme, _ := t.file("README.md")
	known := map[string]string{}
	for row := range strings.SplitSeq(findings, "\n") {
		if trace, steps, ok := finding(row); ok {
			known[trace] = steps
		}
	}
	line := 0
	for row := range strings.SplitSeq(readme, "\n") {
		line++
		trace, steps, ok := finding(row)
		if !ok {
			continue
		}
		switch want, there := known[trace]; {
		case !there:
			r.add("README.md", line, "selection/row",
				fmt.Sprintf("docs/findings.md has no row of %s; add it there first", trace))
		case steps != want:
			r.add("README.md", line, "selection/row",
				fmt.Sprintf("%s has %s steps here and %s in docs/findings.md", trace, steps, want))
		}
	}
	return r.done()
}

// finding takes apart a row of a table that names a trace: the trace, and its steps, which are the
// only cell that is a number.
func finding(row string) (trace, steps string, ok bool) {
	m := tracePattern.FindStringSubmatch(row)
	if !strings.HasPrefix(row, "|") || m == nil {
		return "", "", false
	}
	for cell := range strings.SplitSeq(row, "|") {
		if cell = strings.TrimSpace(cell); cell != "" && strings.Trim(cell, "0123456789") == "" {
			steps = cell
		}
	}
	return m[1], steps, true
}
