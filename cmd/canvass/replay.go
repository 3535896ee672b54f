package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

func (t *tool) replayCommand() *cobra.Command {
	var form, page, against string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Make the run of a trace again, on the real cores, and show it",
		Long: "Makes the run that a trace (*.itf.json, - is standard input) describes again, action by action, on the\n" +
			"cores themselves, compares every state with the recorded one, and confirms at the end that the run still\n" +
			"shows what it is kept for. States and effects are shown as they came out now, not as the file has them.\n\n" +
			"It is shown as --format says:\n\n" + formatHelp() + "\n" +
			"or with --html as a page for a browser, in one file that needs no network: step by step, with the map of\n" +
			"the protocol, the states, a diagram and a story in plain words.\n\n" +
			"With --against the actions are taken on another model, as long as they are possible there: a published\n" +
			"algorithm's counterexample on the corrected protocol, say. The exit code is then that of the violation\n" +
			"(11, 12, 13) if the other model shows it too, and 0 if it does not.\n\n" + exitHelp,
		Example: "  canvass replay traces/corpus/published-can-row3-leave-early.CancelledStays.itf.json\n" +
			"  canvass replay run.itf.json --html run.html\n" +
			"  canvass replay --format mermaid run.itf.json > run.mmd\n" +
			"  canvass replay run.itf.json --against can/row3/leave-crash",
		Args: exactly(1, "one file, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := formatNamed(form)
			if err != nil {
				return err
			}
			if asked := []bool{form != "", asJSON, page != ""}; count(asked) > 1 {
				return usagef("--format, --json and --html are three views; ask for one")
			}
			if against != "" && (page != "" || f.name != formats()[0].name) {
				return usagef("--against has no picture; ask for --format text or --json")
			}
			r := &replay{tool: t, file: args[0], view: f.write, json: asJSON, html: page}
			if against != "" {
				return r.against(against)
			}
			return r.again()
		},
	}
	cmd.Flags().
		StringVar(&form, "format", "", "how to write the run: `FORMAT` is "+strings.Join(formatNames(), ", ")+" (default text)")
	cmd.Flags().StringVar(&page, "html", "", "write a page for a browser to `FILE`; - is standard output")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one object, with the verdict and each step")
	cmd.Flags().StringVar(&against, "against", "", "take the actions on another `MODEL`")
	for name, complete := range map[string]cobra.CompletionFunc{
		"against": t.completeModels, "format": cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp),
	} {
		if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err)
		}
	}
	return cmd
}

func count(all []bool) int {
	n := 0
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

// replay is one call of the command.
type replay struct {
	tool *tool
	file string
	view func(io.Writer, *traces.Trace) error
	json bool
	html string // the file for the page; "" for none
}

func (r *replay) read() (*traces.Trace, error) {
	in := r.tool.stdin
	if r.file != "-" {
		file, err := os.Open(r.file)
		if err != nil {
			return nil, fmt.Errorf("%w; \"canvass check\" writes traces to out/traces", err)
		}
		defer file.Close()
		if about, err := file.Stat(); err == nil && about.IsDir() {
			return nil, usagef("%s is a folder; name one of the traces in it, *.itf.json", r.file)
		}
		in = file
	}
	t, err := traces.Read(in)
	if err != nil {
		if r.file != "-" && isPlan(r.file) {
			return nil, fmt.Errorf(
				"%s is the plan of a run, not its trace; make the run with: canvass simulate --plan %s",
				r.file,
				r.file,
			)
		}
		return nil, fmt.Errorf("%s: %w", r.file, err)
	}
	return t, nil
}

// system is the model under the budget of the trace.
func (r *replay) system(name string, t *traces.Trace) (model.Checkable, error) {
	m, err := named(r.tool.models(), name)
	if err != nil {
		return nil, err
	}
	if r, ok := m.(model.Resizable); ok && name == t.Header.Model && t.Header.Nodes > 0 {
		if m, err = r.WithNodes(t.Header.Nodes); err != nil {
			return nil, err
		}
	}
	system, err := m.With(model.Budget(t.Header.Budget))
	if err != nil {
		return nil, fmt.Errorf("%s cannot run under the faults of the trace (%s): %w", name, t.Header.Budget, err)
	}
	return system, nil
}

// again makes the run on its own model.
func (r *replay) again() error {
	t, err := r.read()
	if err != nil {
		return err
	}
	made, err := r.source(t)
	if err != nil {
		// Not wrapped: whatever it is, what is wrong is the file, not the command line.
		return fmt.Errorf("%s: %v%s", r.file, err, madeAt(&t.Header, " (the trace was made at commit %s)"))
	}
	now := &traces.Trace{Header: t.Header, Loop: t.Loop}
	look := made.page.Observe(made.machine, t.Header.Property)
	stale := traces.Replay(made.machine, t, func(i int, s traces.Step) {
		now.Steps = append(now.Steps, s)
		if r.html != "" {
			look(i, s)
		}
	})
	if stale == nil {
		stale = made.compare(&now.Header)
	}
	switch {
	case r.json:
		err = r.object(now, func(o *replayObject) {
			o.Reproduced = stale == nil
			if stale != nil {
				o.Error = stale.Error()
			}
		})
	case stale == nil && r.html != "":
		err = r.page(now, made.page)
	case stale == nil:
		err = r.view(r.tool.stdout, now)
	}
	if stale == nil || err != nil {
		return err
	}
	return fmt.Errorf(
		"%s: %w%s; %s",
		r.file,
		stale,
		madeAt(&t.Header, "; the trace was made at commit %s"),
		r.remedy(stale, &t.Header),
	)
}

// madeAt tells where a trace comes from, if it says so.
func madeAt(h *traces.Header, format string) string {
	if h.Commit == "" {
		return ""
	}
	return fmt.Sprintf(format, h.Commit)
}

// remedy is what can be done with a trace that its own model does not make any more.
func (r *replay) remedy(stale error, h *traces.Header) string {
	anew := "to record it anew: canvass " + r.anew(h)
	var claim *traces.HeaderError
	if strings.HasPrefix(h.Model, modelPrefix) || !errors.Is(stale, traces.ErrStale) || errors.As(stale, &claim) {
		return anew
	}
	return fmt.Sprintf(
		"to see whether the same course still violates %s: canvass replay %s --against %s; %s",
		h.Property,
		r.file,
		h.Model,
		anew,
	)
}

// anew is the command that makes a trace again.
func (r *replay) anew(h *traces.Header) string {
	switch {
	case !strings.HasPrefix(h.Model, modelPrefix):
		return "check " + h.Model
	case r.file == "-":
		return "simulate --plan FILE"
	}
	return "simulate --plan " + r.file
}

// source is what made a trace.
type source struct {
	machine traces.Machine
	page    *traces.Page
	compare func(*traces.Header) error // what the trace says of it that is not so
}

// source finds what made the trace: a model, or a world with its plan.
func (r *replay) source(t *traces.Trace) (*source, error) {
	name, simulated := strings.CutPrefix(t.Header.Model, modelPrefix)
	if !simulated {
		system, err := r.system(t.Header.Model, t)
		if err != nil {
			return nil, err
		}
		compare := func(h *traces.Header) error { return r.compare(system, h) }
		return &source{system.Machine(), pageOf(system, &t.Header), compare}, nil
	}
	w := scenarioNamed(r.tool.scenarios(), name)
	if w == nil {
		return nil, errors.New(noScenario(r.tool.scenarios(), name))
	}
	plan, err := sim.DecodePlan(t.Header.Bounds)
	if err != nil {
		return nil, err
	}
	if err := measure(plan, nil, "put it there, from where the command is run"); err != nil {
		return nil, err
	}
	for i := range t.Steps {
		t.Steps[i].Action.Text = sim.CurrentNote(t.Steps[i].Action.Text)
	}
	machine, err := sim.NewMachine(w, plan)
	property, _ := w.PropertyOf(t.Header.Property)
	seen := t.Header.Description
	if strings.HasSuffix(seen, property.Doc) {
		seen = "" // no more than that it does not hold
	}
	page := &traces.Page{
		Model: w.Doc, Property: property.Doc, Seen: seen, Why: w.Expected[t.Header.Property], Within: w.BoundsOf(plan), Words: w.Words(),
	}
	if property.Shape == checker.Quiescent {
		page.Demand = "It must be so in the end: when faults have stopped and there was time to settle."
	}
	return &source{machine, page, func(*traces.Header) error { return nil }}, err
}

// replayObject is a replay in JSON. Fields are added, never changed.
type replayObject struct {
	File       string         `json:"file"`
	Model      string         `json:"model"` // that the trace is of
	Property   string         `json:"property"`
	Shape      string         `json:"shape"`
	Verdict    string         `json:"verdict"`
	Reproduced bool           `json:"reproduced"`
	Error      string         `json:"error,omitempty"`
	Against    *againstObject `json:"against,omitempty"`
	Loop       *int           `json:"loop"` // null for a finite run
	Steps      []stepObject   `json:"steps"`
}

type stepObject struct {
	Kind    string            `json:"kind"`
	Node    string            `json:"node"`
	Peer    string            `json:"peer"`
	Text    string            `json:"text"`
	Cost    string            `json:"cost"`
	Changed map[string]string `json:"changed"`
	Effects []string          `json:"effects"`
}

func (r *replay) object(t *traces.Trace, fill func(*replayObject)) error {
	h := &t.Header
	o := replayObject{
		File:     r.file,
		Model:    h.Model,
		Property: h.Property,
		Shape:    h.Shape,
		Verdict:  h.Verdict,
		Steps:    []stepObject{},
	}
	if t.Loop >= 0 {
		o.Loop = &t.Loop
	}
	var before []traces.Variable
	for _, s := range t.Steps {
		a := s.Action
		step := stepObject{Kind: a.Kind, Node: a.Node, Peer: a.Peer, Text: a.Text, Cost: a.Cost,
			Changed: map[string]string{}, Effects: append([]string{}, s.Effects...)}
		for _, v := range traces.Changed(before, s.State) {
			step.Changed[v.Name] = v.Value
		}
		o.Steps, before = append(o.Steps, step), s.State
	}
	fill(&o)
	enc := json.NewEncoder(r.tool.stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(o)
}
