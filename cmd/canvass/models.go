package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/model"
)

func (t *tool) modelsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "models [PATTERN...]",
		Short: "List the models that can be checked",
		Long: "Lists the models whose name fits a pattern, the deep ones too: name, processes, bounds, fault budget,\n" +
			"declared verdict, and what happens in the model. In a pattern * and ? stand for any text and any\n" +
			"character. One without them that is the very name of a model means that model alone; any other may be\n" +
			"any part of the name: can/row2/join is one model, can/row2/joi all whose names begin so.",
		Example: "  canvass models\n  canvass models 'can/*'\n  canvass models --json | jq -r .name",
		RunE: func(_ *cobra.Command, patterns []string) error {
			chosen, err := choose(t.models(), patterns, true)
			if err != nil {
				return err
			}
			if asJSON {
				return modelsJSON(t.stdout, chosen)
			}
			return modelsTable(t.stdout, chosen)
		},
		ValidArgsFunction: t.completeModels,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one object a line")
	return cmd
}

func (t *tool) completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return modelNames(t.models()), cobra.ShellCompDirectiveNoFileComp
}

func modelsTable(w io.Writer, models []model.Checkable) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tNODES\tBOUNDS\tFAULTS\tEXPECTED\tDOC")
	for _, m := range models {
		info := m.Info()
		name := info.Name
		if info.Deep {
			name += " (deep)"
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\n", name, info.Nodes, info.Bounds, info.Budget,
			expectation(info), strings.Join(strings.Fields(info.Doc), " "))
	}
	return table.Flush()
}

// expectation is the declared verdict on a model: "holds" or "violated: P1, P2".
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

type modelObject struct {
	Name     string              `json:"name"`
	Doc      string              `json:"doc"`
	Nodes    int                 `json:"nodes"`
	Bounds   string              `json:"bounds"`
	Faults   model.Budget        `json:"faults"`
	Expected string              `json:"expected"`
	Declared []model.Expectation `json:"declared"`
	Deep     bool                `json:"deep"`
}

func modelsJSON(w io.Writer, models []model.Checkable) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, m := range models {
		info := m.Info()
		declared := info.Expected
		if declared == nil {
			declared = []model.Expectation{}
		}
		if err := enc.Encode(modelObject{Name: info.Name, Doc: info.Doc, Nodes: info.Nodes, Bounds: info.Bounds,
			Faults: info.Budget, Expected: expectation(info), Declared: declared, Deep: info.Deep}); err != nil {
			return err
		}
	}
	return nil
}
