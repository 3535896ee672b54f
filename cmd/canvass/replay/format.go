package replay

import (
	"io"
	"strings"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/traces"
)

// format is a way to write an execution.
type format struct {
	name, what string
	write      func(io.Writer, *traces.Trace, *traces.Page) error
}

// plain makes a format of a function that needs no page.
func plain(write func(io.Writer, *traces.Trace) error) func(io.Writer, *traces.Trace, *traces.Page) error {
	return func(w io.Writer, t *traces.Trace, _ *traces.Page) error { return write(w, t) }
}

func story(w io.Writer, t *traces.Trace, p *traces.Page) error { return traces.WriteStory(w, t, *p) }

// formats are the values of --format, the default first.
func formats() []format {
	return []format{
		{"text", "a story in plain sentences (--verbose: states)", story},
		{"mermaid", "a sequence diagram for Mermaid", plain(traces.WriteMermaid)},
		{"shiviz", "a log with vector clocks, for ShiViz and its default expression", plain(traces.WriteShiViz)},
		{"perfetto", "tracks and arrows for Perfetto (JSON of the Chrome trace format)", plain(traces.WritePerfetto)},
		{"dot", "the happened-before relation, for Graphviz", plain(traces.WriteDOT)},
		{"itf", "the trace itself, in the Informal Trace Format", plain(traces.Write)},
	}
}

// formatNamed finds a format; "" is the default.
func formatNamed(name string) (format, error) {
	all := formats()
	if name == "" {
		return all[0], nil
	}
	for _, f := range all {
		if f.name == name {
			return f, nil
		}
	}
	if name == "html" {
		return format{}, cli.Usagef("--format html: a page is written with --html FILE")
	}
	if name == "json" {
		return format{}, cli.Usagef("--format json: ask for it with --json, as everywhere")
	}
	return format{}, cli.Usagef("there is no --format %q; there are %s", name, strings.Join(formatNames(), ", "))
}

func formatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// formatHelp lists them for people.
func formatHelp() string {
	var b strings.Builder
	for _, f := range formats() {
		b.WriteString("  " + f.name + strings.Repeat(" ", max(10-len(f.name), 1)) + f.what + "\n")
	}
	return b.String()
}
