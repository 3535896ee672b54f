package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

func (t *tool) replayCommand() *cobra.Command {
	var text, mermaid, asJSON bool
	var against string
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Make the run of a trace again, on the real cores, and show it",
		Long: "Makes the run that a trace (*.itf.json, - is standard input) describes again, action by action, on the\n" +
			"cores themselves, compares every state with the recorded one, and confirms at the end that the run still\n" +
			"shows what it is kept for. States and effects are shown as they came out now, not as the file has them.\n\n" +
			"With --against the actions are taken on another model, as long as they are possible there: a published\n" +
			"algorithm's counterexample on the corrected protocol, say. The exit code is then that of the violation\n" +
			"(11, 12, 13) if the other model shows it too, and 0 if it does not.\n\n" + exitHelp,
		Example: "  canvass replay traces/corpus/asprinted-row3-leave-early.CancelledStays.itf.json\n" +
			"  canvass replay --mermaid run.itf.json > run.mmd\n" +
			"  canvass replay run.itf.json --against can/row3/leave-crash",
		Args: exactly(1, "one file, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			if text && mermaid || text && asJSON || mermaid && asJSON {
				return usagef("--text, --mermaid and --json are three views; ask for one")
			}
			if against != "" && mermaid {
				return usagef("--against has no diagram; ask for --text or --json")
			}
			view := traces.WriteText
			if mermaid {
				view = traces.WriteMermaid
			}
			r := &replay{tool: t, file: args[0], view: view, json: asJSON}
			if against != "" {
				return r.against(against)
			}
			return r.again()
		},
	}
	cmd.Flags().BoolVar(&text, "text", false, "one action a line (the default)")
	cmd.Flags().BoolVar(&mermaid, "mermaid", false, "a sequence diagram for Mermaid")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one object, with the verdict and each step")
	cmd.Flags().StringVar(&against, "against", "", "take the actions on another `MODEL`")
	if err := cmd.RegisterFlagCompletionFunc("against", t.completeModels); err != nil {
		panic(err)
	}
	return cmd
}

// replay is one call of the command.
type replay struct {
	tool *tool
	file string
	view func(io.Writer, *traces.Trace) error
	json bool
}

func (r *replay) read() (*traces.Trace, error) {
	in := r.tool.stdin
	if r.file != "-" {
		file, err := os.Open(r.file)
		if err != nil {
			return nil, fmt.Errorf("%w; \"canvass check\" writes traces to out/traces", err)
		}
		defer file.Close()
		in = file
	}
	t, err := traces.Read(in)
	if err != nil {
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
	machine, err := r.machine(t)
	if err != nil {
		return errors.New(r.file + ": " + err.Error() + " (the trace was made at commit " + t.Header.Commit + ")")
	}
	now := &traces.Trace{Header: t.Header, Loop: t.Loop}
	stale := traces.Replay(machine, t, func(_ int, s traces.Step) { now.Steps = append(now.Steps, s) })
	switch {
	case r.json:
		err = r.object(now, func(o *replayObject) {
			o.Reproduced = stale == nil
			if stale != nil {
				o.Error = stale.Error()
			}
		})
	case stale == nil:
		err = r.view(r.tool.stdout, now)
	}
	if stale == nil || err != nil {
		return err
	}
	return fmt.Errorf("%s: %w; the trace was made at commit %s, record it anew with: canvass %s",
		r.file, stale, t.Header.Commit, origin(t.Header.Model))
}

// origin is the command that makes traces of a model.
func origin(model string) string {
	if world, ok := strings.CutPrefix(model, modelPrefix); ok {
		return "simulate " + world
	}
	return "check " + model
}

// machine is what made the trace: a model, or a world with its plan.
func (r *replay) machine(t *traces.Trace) (traces.Machine, error) {
	name, simulated := strings.CutPrefix(t.Header.Model, modelPrefix)
	if !simulated {
		system, err := r.system(t.Header.Model, t)
		if err != nil {
			return nil, err
		}
		return system.Machine(), nil
	}
	w := worldNamed(r.tool.worlds(), name)
	if w == nil {
		return nil, fmt.Errorf("there is no world %q", name)
	}
	plan, err := sim.DecodePlan(t.Header.Bounds)
	if err != nil {
		return nil, err
	}
	return sim.NewMachine(w, plan)
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
	o := replayObject{File: r.file, Model: h.Model, Property: h.Property, Shape: h.Shape, Verdict: h.Verdict, Steps: []stepObject{}}
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
