package main

import (
	"io"
	"strings"

	"github.com/canvass-grid/canvass/traces"
)

// format is a way to write a run down.
type format struct {
	name, what string
	write      func(io.Writer, *traces.Trace) error
}

// formats are the values of --format, the default first.
func formats() []format {
	return []format{
		{"text", "one action a line", traces.WriteText},
		{"mermaid", "a sequence diagram for Mermaid", traces.WriteMermaid},
		{"shiviz", "a log with vector clocks for ShiViz, which reads it with its default expression", traces.WriteShiViz},
		{"perfetto", "tracks and arrows for Perfetto (JSON of the Chrome trace format)", traces.WritePerfetto},
		{"dot", "what came before what, for Graphviz", traces.WriteDOT},
		{"itf", "the trace anew, in the Informal Trace Format", traces.Write},
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
		return format{}, usagef("--format html: a page is written with --html FILE")
	}
	if name == "json" {
		return format{}, usagef("--format json: ask for it with --json, as everywhere")
	}
	return format{}, usagef("there is no --format %q; there are %s", name, strings.Join(formatNames(), ", "))
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
