package grid

import (
	"encoding/json"
	"path"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/generate"
	"github.com/canvass-grid/canvass/scheduler/platform"
)

// listed is one thing that can be named on the command line.
type listed struct {
	Kind string `json:"kind"` // experiment, policy, platform, generator
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func (env Env) listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list [PATTERN]",
		Short:   "List experiments, policies, platforms and generators",
		Example: "  canvass grid list\n  canvass grid list 'central/*'\n  canvass grid list --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			pattern := "*"
			if len(args) > 0 {
				pattern = args[0]
			}
			return env.list(pattern, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a line")
	return cmd
}

func everything() []listed {
	var all []listed
	for _, e := range experiment.All() {
		all = append(all, listed{"experiment", e.Name, e.Doc})
	}
	for _, p := range experiment.Policies() {
		all = append(all, listed{"policy", p.Name, p.Rule})
	}
	for _, p := range platform.Named() {
		all = append(all, listed{"platform", p.Name, p.Sentence})
	}
	for _, g := range generate.Named() {
		all = append(all, listed{"generator", g.Name, g.Sentence})
	}
	return all
}

func (env Env) list(pattern string, asJSON bool) error {
	var names []string
	t := table{{"kind", "name", "what it is"}}
	out := json.NewEncoder(env.Stdout)
	out.SetEscapeHTML(false)
	for _, l := range everything() {
		names = append(names, l.Name)
		fits, err := path.Match(pattern, l.Name)
		if err != nil {
			return usagef("pattern %q: %v", pattern, err)
		}
		if !fits && pattern != "*" {
			continue
		}
		t = append(t, []string{l.Kind, l.Name, l.Doc})
		if asJSON {
			if err := out.Encode(l); err != nil {
				return err
			}
		}
	}
	switch {
	case len(t) == 1:
		return usagef("nothing is called %q; %s", pattern, experiment.Meant(pattern, names))
	case asJSON:
		return nil
	}
	return t.write(env.Stdout)
}
