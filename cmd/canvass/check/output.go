package check

import (
	"os"

	"github.com/spf13/pflag"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/model"
)

// outputs lists where the results of a check go. It creates files before the first model is
// checked.
func (t *tool) outputs(
	f *checkFlags, flags *pflag.FlagSet, s swarm, files *cli.Guard, systems []chosen,
) ([]output, error) {
	var all []output
	if t.Stdout.WantsJSON() {
		all = append(all, &lines{t.Stdout, shardsOf(s, flags)})
	} else if f.verbose {
		all = append(all, newTable(t.Stdout, systems))
	} else {
		all = append(all, newFamilies(t.Stdout, systems))
	}
	if f.coverage && !t.Stdout.WantsJSON() {
		all = append(all, &coverageTable{w: t.Stdout})
	}
	if f.junit != "" {
		if err := cli.ReadyFile(files, "junit", f.junit); err != nil {
			return nil, err
		}
		if err := cli.RemoveReport(f.junit); err != nil {
			return nil, err
		}
		all = append(all, &junit{path: f.junit})
	}
	if os.Getenv("GITHUB_ACTIONS") != "" {
		summary := os.Getenv("GITHUB_STEP_SUMMARY")
		if err := files.Writes("GITHUB_STEP_SUMMARY", summary); err != nil {
			return nil, err
		}
		all = append(all, &github{w: t.Stderr, path: summary})
	}
	return all, nil
}

// lines writes one object in JSON a line.
type lines struct {
	out    *cli.Output
	shards verdict.Shards
}

// ResultObject is a result in JSON. The help topic json describes the fields.
type ResultObject struct {
	Schema      int              `json:"schema"`
	Model       string           `json:"model"`
	Expected    string           `json:"expected"`
	Verdict     string           `json:"verdict"`
	AsExpected  bool             `json:"as_expected"`
	Property    string           `json:"property"`
	Properties  []propertyObject `json:"properties"`
	Nodes       int              `json:"nodes"`
	Bounds      string           `json:"bounds"`
	Faults      model.Budget     `json:"faults"`
	States      uint64           `json:"states"`
	Transitions uint64           `json:"transitions"`
	Depth       int              `json:"depth"`
	Seconds     float64          `json:"seconds"`
	Rate        float64          `json:"states_per_second"`
	Bytes       float64          `json:"bytes_per_state"`
	Order       string           `json:"order,omitempty"`
	Storage     string           `json:"storage,omitempty"`
	Collision   float64          `json:"collision_bound,omitempty"`
	Audited     uint64           `json:"audited_states,omitempty"`
	Reductions  []string         `json:"reductions"`
	Coverage    *coverageObject  `json:"coverage,omitempty"`
	Trace       string           `json:"trace"`
	Stopped     string           `json:"stopped"`
	Limit       string           `json:"limit,omitempty"`
	Resume      string           `json:"resume,omitempty"`
	Error       string           `json:"error,omitempty"`
	Shards      *verdict.Shards  `json:"shards"`
}

// propertyObject is the verdict on one property in JSON.
type propertyObject struct {
	Name     string `json:"name"`
	Shape    string `json:"shape"`
	Verdict  string `json:"verdict"`
	Expected string `json:"expected"`
	Cases    uint64 `json:"cases"`
	Steps    *int   `json:"steps"`
	Trace    string `json:"trace"`
}

func (l *lines) end([]*result) error { return nil }

func (l *lines) result(r *result) error {
	o := ResultObject{
		Schema: cli.Schema, Model: r.info.Name, Expected: expectation(r.info), Verdict: r.verdict(),
		AsExpected: r.isAsExpected(),
		Properties: []propertyObject{}, Nodes: r.info.Nodes, Bounds: r.info.Bounds, Faults: r.info.Budget,
		Reductions: []string{}, Stopped: r.stopped(), Resume: r.resume,
		Shards: &l.shards,
	}
	if f := r.first(); f != nil {
		o.Property, o.Trace = f.Property.Name, f.trace
	}
	if p := r.report; p != nil {
		o.Limit = r.limits.reached(p.Stopped)
		o.Reductions = append(o.Reductions, p.Reductions...)
		o.States, o.Transitions, o.Depth, o.Bytes = p.States, p.Transitions, p.Depth, cli.Rounded(p.BytesPerState, 10)
		if p.Audited < p.States { // a sample
			o.Audited = p.Audited
		}
		if p.Order != checker.BreadthFirst {
			o.Order = p.Order.String()
		}
		if p.Storage != checker.Exact {
			o.Storage, o.Collision = p.Storage.String(), p.CollisionBound
		}
		o.Seconds, o.Rate = cli.Rounded(p.Elapsed.Seconds(), 1e6), cli.Rounded(cli.Rate(p.States, p.Elapsed), 1)
	}
	if c := r.coverage; c != nil {
		o.Coverage = &coverageObject{Actions: c.Actions, Events: c.Events, Never: c.Never, Former: c.Never}
	}
	if r.err != nil {
		o.Error = r.err.Error()
	}
	for i := range r.findings {
		o.Properties = append(o.Properties, r.findings[i].object())
	}
	return l.out.JSON(o)
}

func (f *finding) object() propertyObject {
	p := propertyObject{Name: f.Property.Name, Shape: f.Property.Shape.String(), Verdict: f.Verdict.String(),
		Expected: checker.Holds.String(), Cases: f.Cases, Trace: f.trace}
	if f.expected {
		p.Expected = checker.Violated.String()
	}
	if n, ok := f.steps(); ok {
		p.Steps = &n
	}
	return p
}
