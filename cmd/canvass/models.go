package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

func (t *tool) modelsCommand() *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "models [PATTERN...]",
		Short: "List the models that can be checked",
		Long: "Lists the models whose names match a pattern, the deep ones too: whether each is expected to hold or " +
			"to\n" +
			"fail, and what happens in it. With --verbose the list also has nodes, bounds, fault budget and the\n" +
			"properties that are expected to be violated.\n\n" +
			"A pattern with * (any text) or ? (any character) must match the whole name. The full name of a model\n" +
			"means that model alone. Any other pattern matches a part of the name: can/row2/join is one model,\n" +
			"can/row2/joi all whose names contain it.\n\n" +
			"The name of a published algorithm's model may end with any interpretations of its text, after an @ and\n" +
			"joined by +; fifo is for links that keep the order of messages. The package documentation of\n" +
			"protocol/published lists them. The list has the combinations of which something is expected.",
		Example: "  canvass models\n  canvass models 'can/*'\n  canvass models -v published/can/row3\n" +
			"  canvass models published/can/row4/leave-leave@clears+fifo\n" +
			"  canvass models --json | jq -r .name",
		RunE: func(_ *cobra.Command, patterns []string) error {
			chosen, _, err := choose(t.models(), patterns, true)
			switch {
			case err != nil:
				return err
			case t.stdout.WantsJSON():
				return modelsJSON(t.stdout, chosen)
			case verbose:
				return modelsTable(t.stdout, chosen)
			}
			var all []entry
			for _, m := range chosen {
				info := m.Info()
				e := entry{info.Name, "holds", cli.OneLine(info.Doc)}
				if expectation(info) != "holds" {
					e.expected = "fails"
				}
				if info.Deep {
					e.doc += " (deep)"
				}
				all = append(all, e)
			}
			return list(t.stdout, "MODEL", all)
		},
		ValidArgsFunction: t.completeModels,
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false,
		"also nodes, bounds, faults and the properties that are expected to fail")
	t.stdout.JSONFlag(cmd.Flags())
	return cmd
}

func (t *tool) completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return modelNames(t.models()), cobra.ShellCompDirectiveNoFileComp
}

// entry is a line of a list: a model or a scenario.
type entry struct{ name, expected, doc string }

const (
	longestName  = 40 // a longer one has a line of its own
	narrowestDoc = 24
)

// list writes a line for each entry, as wide as the terminal is: what does not fit goes on in the
// next line.
func list(out *cli.Output, title string, all []entry) error {
	width := len(title)
	for _, e := range all {
		if n := utf8.RuneCountInString(e.name); n <= longestName {
			width = max(width, n)
		}
	}
	const expected = len("EXPECTED")
	indent := width + 2 + expected + 2
	columns := max(cli.ColumnsOf(out)-indent, narrowestDoc)
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s  EXPECTED  WHAT HAPPENS\n", width, title)
	for _, e := range all {
		name := e.name
		if utf8.RuneCountInString(name) > width {
			b.WriteString(name + "\n")
			name = ""
		}
		lines := cli.Wrap(e.doc, columns)
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", width, name, expected, e.expected, lines[0])
		for _, line := range lines[1:] {
			b.WriteString(strings.Repeat(" ", indent) + line + "\n")
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func modelsTable(w io.Writer, models []model.Checkable) error {
	table := cli.NewTabs(w)
	fmt.Fprintln(table, "NAME\tNODES\tBOUNDS\tFAULTS\tEXPECTED\tDOC")
	for _, m := range models {
		info := m.Info()
		name := info.Name
		if info.Deep {
			name += " (deep)"
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\n", name, info.Nodes, info.Bounds, info.Budget,
			expectation(info), cli.OneLine(info.Doc))
	}
	return table.Flush()
}

// expectation is the expected verdict on a model: "holds" or "violated: P1, P2".
func expectation(info model.Info) string {
	var violated []string
	for _, e := range info.Expected {
		if e.Violated {
			violated = append(violated, e.Property)
		}
	}
	if len(violated) == 0 {
		return "holds"
	}
	return "violated: " + strings.Join(violated, ", ")
}

// modelObject is a model in JSON. The help topic json describes the fields.
type modelObject struct {
	Schema       int                 `json:"schema"`
	Name         string              `json:"name"`
	Doc          string              `json:"doc"`
	Nodes        int                 `json:"nodes"`
	Bounds       string              `json:"bounds"`
	Faults       model.Budget        `json:"faults"`
	Expected     string              `json:"expected"`
	Expectations []model.Expectation `json:"expectations"`
	Deep         bool                `json:"deep"`
}

func modelsJSON(out *cli.Output, models []model.Checkable) error {
	for _, m := range models {
		info := m.Info()
		o := modelObject{Schema: cli.Schema, Name: info.Name, Doc: info.Doc, Nodes: info.Nodes, Bounds: info.Bounds,
			Faults: info.Budget, Expected: expectation(info), Expectations: append([]model.Expectation{},
				info.Expected...),
			Deep: info.Deep}
		if err := out.JSON(o); err != nil {
			return err
		}
	}
	return nil
}
