package lab

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/generate"
	"github.com/canvass-grid/canvass/scheduler/lab"
	"github.com/canvass-grid/canvass/scheduler/platform"
	"github.com/canvass-grid/canvass/scheduler/report"
)

// listed is one thing that can be named on the command line.
type listed struct {
	Kind   string                 `json:"kind"` // experiment, policy, platform, generator
	Name   string                 `json:"name"`
	Doc    string                 `json:"doc"`
	Source string                 `json:"source,omitempty"` // of an experiment, as the rest
	Sizes  []sized                `json:"sizes,omitempty"`
	Claims []experiment.Statement `json:"claims,omitempty"`
}

// sized is an experiment in one size.
type sized struct {
	Size   string   `json:"size"`
	Inputs []string `json:"inputs"`
	Time   string   `json:"time_of_a_seed,omitempty"`
}

func (env Env) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list [PATTERN...]",
		Short: "List experiments, policies, platforms and generators",
		Long: "Without a pattern, lists all that can be named, a line each. Of experiments that match a pattern, it\n" +
			"shows their inputs in each size, how long one seed takes on two cores, and the claims that count.",
		Example: "  canvass lab list\n  canvass lab list 'jackson/*' central/order\n  canvass lab list --json",
		RunE: func(_ *cobra.Command, patterns []string) error {
			return env.list(patterns)
		},
	}
	env.Stdout.JSONFlag(cmd.Flags())
	return cmd
}

func everything() []listed {
	var all []listed
	for _, e := range experiment.All() {
		l := listed{Kind: "experiment", Name: e.Name, Doc: e.Doc, Source: e.Source, Claims: e.Statements()}
		for _, size := range experiment.Sizes {
			l.Sizes = append(l.Sizes, sized{size, e.Inputs(size), e.Time(size)})
		}
		all = append(all, l)
	}
	for _, p := range lab.Policies() {
		all = append(all, listed{Kind: "policy", Name: p.Name, Doc: p.Rule})
	}
	for _, p := range platform.Named() {
		all = append(all, listed{Kind: "platform", Name: p.Name, Doc: p.Sentence})
	}
	for _, g := range generate.Named() {
		all = append(all, listed{Kind: "generator", Name: g.Name, Doc: g.Sentence})
	}
	return all
}

// matching returns what one of the patterns fits; all if there is none.
func matching(patterns []string) ([]listed, error) {
	all := everything()
	if len(patterns) == 0 {
		return all, nil
	}
	names := make([]string, len(all))
	for i, l := range all {
		names[i] = l.Name
	}
	chosen := make([]bool, len(all))
	for _, pattern := range patterns {
		found := false
		for i, name := range names {
			fits, err := path.Match(pattern, name)
			if err != nil {
				return nil, cli.Usagef("pattern %q: %v", pattern, err)
			}
			chosen[i], found = chosen[i] || fits, found || fits
		}
		if !found {
			candidates := append(experiment.Groups(), names...)
			return nil, cli.Usagef("nothing is called %q; %s", pattern, lab.Meant(pattern, candidates))
		}
	}
	var some []listed
	for i, l := range all {
		if chosen[i] {
			some = append(some, l)
		}
	}
	return some, nil
}

func (env Env) list(patterns []string) error {
	some, err := matching(patterns)
	if err != nil {
		return err
	}
	return cli.PrintAll(env.Stdout, some, func() error { return env.listTable(some, len(patterns) > 0) })
}

// listTable writes a line for each thing, or the details of an experiment if they are wanted.
func (env Env) listTable(some []listed, detailed bool) error {
	t := [][]string{{"kind", "name", "what it is"}}
	for _, l := range some {
		if detailed && l.Kind == "experiment" {
			fmt.Fprint(env.Stdout, l.details())
			continue
		}
		t = append(t, []string{l.Kind, l.Name, l.Doc})
	}
	if len(t) == 1 {
		return nil
	}
	return env.Stdout.Table(&cli.Table{Rows: t})
}

// details describe an experiment to a reader before it runs.
func (l listed) details() string {
	var b strings.Builder
	b.WriteString(report.Wrapped("", l.Name+": "+l.Doc))
	b.WriteString(report.Wrapped("  ", "Source: "+l.Source+"."))
	for i, s := range l.Sizes {
		time := ", " + s.Time + " a seed on two cores"
		if s.Time == "" {
			time = ", not measured"
		}
		what := strings.Join(s.Inputs, "; ")
		if i > 0 && slices.Equal(s.Inputs, l.Sizes[i-1].Inputs) {
			what = "as " + l.Sizes[i-1].Size
		}
		b.WriteString(report.Wrapped("  ", "--size "+s.Size+time+": "+what))
	}
	for _, c := range l.Claims {
		text := c.Claim
		if c.Published != "" && c.Published != experiment.Unpublished {
			text += "; published: " + c.Published
		}
		b.WriteString(report.Wrapped("  - ", text))
	}
	return b.String() + "\n"
}
