package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

func (t *tool) modelsCommand() *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "models [PATTERN...]",
		Short: "List the models that can be checked",
		Long: "Lists the models whose names match a pattern, including the deep ones, each with its expected\n" +
			"verdict and its events. With --verbose it also lists nodes, bounds, the fault budget and the\n" +
			"properties that are expected to be violated.\n\n" +
			"A pattern with * (any text) or ? (any character) must match the whole name. The full name of a\n" +
			"model matches only that model. Any other pattern matches a part of the name: can/row2/join is\n" +
			"one model, can/row2/joi all whose names contain it.\n\n" +
			"The name of a published algorithm's model may end with any interpretations of its text, after\n" +
			"an @ and joined by +; fifo stands for links that keep messages in order. The package\n" +
			"documentation of protocol/published lists them. The list includes the combinations that have\n" +
			"an expected verdict of their own.",
		Example: "  canvass models\n  canvass models 'can/*'\n  canvass models -v published/can/row3\n" +
			"  canvass models published/can/row4/leave-leave@clears+fifo\n" +
			"  canvass models --json | jq -r .name",
		RunE: func(_ *cobra.Command, patterns []string) error {
			chosen, _, err := choose(t.Models(), patterns, true)
			switch {
			case err != nil:
				return err
			case t.Stdout.WantsJSON():
				return modelsJSON(t.Stdout, chosen)
			case verbose:
				return modelsTable(t.Stdout, chosen)
			}
			var all []verdict.Entry
			for _, m := range chosen {
				info := m.Info()
				e := verdict.Entry{Name: info.Name, Expected: "holds", Doc: cli.OneLine(info.Doc)}
				if expectation(info) != "holds" {
					e.Expected = "fails"
				}
				if info.Deep {
					e.Doc += " (deep)"
				}
				all = append(all, e)
			}
			return verdict.List(t.Stdout, "MODEL", all)
		},
		ValidArgsFunction: CompleteModels(t.Models),
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false,
		"also nodes, bounds, faults and the properties that are expected to fail")
	t.Stdout.JSONFlag(cmd.Flags())
	return cmd
}

// CompleteModels completes the names of models.
func CompleteModels(models func() []model.Checkable) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return modelNames(models()), cobra.ShellCompDirectiveNoFileComp
	}
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

// ModelObject is a model in JSON. The help topic json describes the fields.
type ModelObject struct {
	Schema       int                 `json:"schema"`
	Name         string              `json:"name"`
	Doc          string              `json:"doc"`
	Nodes        int                 `json:"nodes"`
	Bounds       string              `json:"bounds"`
	Faults       model.Budget        `json:"faults"`
	Expected     string              `json:"expected"`
	Expectations []expectationObject `json:"expectations"`
	Deep         bool                `json:"deep"`
}

// expectationObject is an expectation of a model in JSON.
type expectationObject struct {
	Property string `json:"property"`
	Violated bool   `json:"violated"`
	Reason   string `json:"reason"` // one line: the failure, and the dropped assumption
	Former   string `json:"why"`    // former name of reason
}

func modelsJSON(out *cli.Output, models []model.Checkable) error {
	for _, m := range models {
		info := m.Info()
		o := ModelObject{Schema: cli.Schema, Name: info.Name, Doc: info.Doc, Nodes: info.Nodes, Bounds: info.Bounds,
			Faults: info.Budget, Expected: expectation(info), Expectations: []expectationObject{}, Deep: info.Deep}
		for _, e := range info.Expected {
			o.Expectations = append(o.Expectations, expectationObject{e.Property, e.Violated, e.Why, e.Why})
		}
		if err := out.JSON(o); err != nil {
			return err
		}
	}
	return nil
}
