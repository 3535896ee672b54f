package replay

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/cmd/canvass/check"
	"github.com/canvass-grid/canvass/cmd/canvass/simulate"
	"github.com/canvass-grid/canvass/cmd/canvass/verdict"
	"github.com/canvass-grid/canvass/daemon/flight"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/sim"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
	"github.com/canvass-grid/canvass/traces"
)

// tool is the program as the command sees it.
type tool struct{ verdict.Env }

// Command returns the command replay.
func Command(program verdict.Env) *cobra.Command {
	t := &tool{program}
	var form, page, against string
	var verbose bool
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Run a counterexample again, and show it step by step",
		Long: "Runs the execution of a trace (*.itf.json; - is standard input) again on the cores themselves,\n" +
			"action by action. It compares every state with the recorded one, and confirms at the end that\n" +
			"the execution still proves the claim of the trace. Everything shown is computed again, not\n" +
			"read from the file.\n\n" +
			"The default is a story in plain sentences. --verbose shows the changes of each step instead.\n" +
			"--html writes a page for a browser, one file that needs no network, with a map, the states, a\n" +
			"diagram, the story and the meaning of each word. --format writes the execution for other\n" +
			"programs:\n\n" +
			formatHelp() + "\nWith --against the actions are taken on another model, as far as they are possible there: for\n" +
			"example, to try the counterexample of a published algorithm on the corrected protocol. The exit\n" +
			"code is 11, 12 or 13 if the other model shows the violation too, and 0 if it does not.",
		Example: "  canvass replay traces/corpus/published-can-row4-leave-leave.Routable.itf.json\n" +
			"  canvass replay run.itf.json --html run.html\n" +
			"  canvass replay run.itf.json --format mermaid > run.mmd\n" +
			"  canvass replay run.itf.json --against can/row3/leave-crash",
		Args: cli.Exactly(1, "one file, or - for standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			f, err := formatNamed(form)
			if err != nil {
				return err
			}
			if err := t.oneView(form, page, against, verbose); err != nil {
				return err
			}
			files := cli.NewGuard(t.Stdout, t.Stderr)
			if err := t.replayFiles(files, args[0], page); err != nil {
				return err
			}
			r := &replay{tool: t, files: files, file: args[0], view: f.write, verbose: verbose, html: page}
			if verbose {
				r.view = func(w io.Writer, t *traces.Trace, _ *traces.Page) error { return traces.WriteText(w, t) }
			}
			if against != "" {
				return r.against(against)
			}
			return r.again()
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&against, "against", "", "take the actions on another `MODEL`")
	flags.BoolVarP(&verbose, "verbose", "v", false, "show the changes of each step in the states, instead of the story")
	flags.StringVar(&page, "html", "", "write a page for a browser to `FILE`; - is standard output")
	flags.StringVar(&form, "format", "",
		"write the execution in a `FORMAT`: "+strings.Join(formatNames(), ", ")+" (default text)")
	t.Stdout.JSONFlag(flags)
	cli.Group(flags, cli.GroupSelect, "against")
	cli.Group(flags, cli.GroupOutput, "verbose", "html", "format", "json")
	for name, complete := range map[string]cobra.CompletionFunc{
		"against": check.CompleteModels(t.Models), "format": cobra.FixedCompletions(formatNames(),
			cobra.ShellCompDirectiveNoFileComp),
	} {
		if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err)
		}
	}
	return cmd
}

// oneView refuses flags that ask for more than one view of an execution.
func (t *tool) oneView(form, page, against string, verbose bool) error {
	text, asJSON := form == "" || form == formats()[0].name, t.Stdout.WantsJSON()
	if asked := []bool{form != "", asJSON, page != ""}; count(asked) > 1 {
		return cli.Usagef("--format, --json and --html are three views; ask for one")
	}
	if verbose && (!text || asJSON || page != "") {
		return cli.Usagef("--verbose is for the text; leave it out")
	}
	if against != "" && (page != "" || !text) {
		return cli.Usagef("--against has no picture; ask for --format text or --json")
	}
	return nil
}

// replayFiles makes sure that the page can be written, and not onto the trace.
func (t *tool) replayFiles(files *cli.Guard, trace, page string) (err error) {
	if trace == "-" {
		err = files.Stdin(t.Stdin)
	} else {
		err = files.Reads("", trace)
	}
	if err != nil || page == "-" {
		return err
	}
	return cli.ReadyFile(files, "html", page, ".html")
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
	tool  *tool
	files *cli.Guard
	file  string
	view  func(io.Writer, *traces.Trace, *traces.Page) error
	html  string // the file for the page; "" for none
	// verbose shows states instead of the story, and notes what has changed since the trace was
	// made.
	verbose bool
}

func (r *replay) read() (*traces.Trace, error) {
	in := r.tool.Stdin
	if r.file != "-" {
		file, err := fileio.Open(r.file)
		if err != nil {
			return nil, fmt.Errorf("%w; \"canvass check\" writes traces to out/traces", err)
		}
		defer file.Close()
		in = file
	}
	t, err := traces.Read(in)
	if err != nil {
		if r.file != "-" && simulate.IsPlan(r.file) {
			return nil, fmt.Errorf("%s is the plan of a run, not its trace; make the run with: canvass simulate "+
				"--plan %s",
				r.file, r.file)
		}
		return nil, fmt.Errorf("%s: %w", r.file, err)
	}
	t.Header.Model = currentName(t.Header.Model)
	return t, nil
}

// currentName is the present name of the model or the scenario that a trace names.
func currentName(model string) string {
	if name, simulated := strings.CutPrefix(model, simulate.ModelPrefix); simulated {
		return simulate.ModelPrefix + scenarios.CurrentName(name)
	}
	return catalog.CurrentName(model)
}

// system is the model under the budget of the trace.
func (r *replay) system(name string, t *traces.Trace) (model.Checkable, error) {
	m, err := check.Named(r.tool.Models(), name)
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

// again runs the execution on its own model.
func (r *replay) again() error {
	t, err := r.read()
	if err != nil {
		return err
	}
	made, err := r.source(t)
	if err != nil {
		// Not wrapped: the mistake is in the file, not on the command line.
		return fmt.Errorf("%s: %v%s", r.file, err, madeAt(&t.Header, " (the trace was made at commit %s)"))
	}
	now := &traces.Trace{Header: t.Header, Loop: t.Loop}
	look := made.page.Observe(made.machine, t.Header.Property)
	stale := traces.Replay(made.machine, t, func(i int, s traces.Step) {
		now.Steps = append(now.Steps, s)
		look(i, s)
	})
	if stale == nil {
		stale = made.compare(&now.Header)
	}
	switch {
	case r.tool.Stdout.WantsJSON():
		err = r.object(now, func(o *Object) {
			o.Reproduced = stale == nil
			if stale != nil {
				o.Error = stale.Error()
			}
		})
	case stale == nil && r.html != "":
		err = r.page(now, made.page)
	case stale == nil:
		err = r.view(r.tool.Stdout.Raw(), now, made.page)
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

// madeAt names the commit of a trace, if the trace does.
func madeAt(h *traces.Header, format string) string {
	if h.Commit == "" {
		return ""
	}
	return fmt.Sprintf(format, h.Commit)
}

// remedy says what to do with a trace that no longer replays on its own model.
func (r *replay) remedy(stale error, h *traces.Header) string {
	anew := "to record it again: canvass " + r.anew(h)
	var claim *traces.HeaderError
	if strings.HasPrefix(h.Model, simulate.ModelPrefix) || !errors.Is(stale, traces.ErrStale) || errors.As(stale,
		&claim) {
		return anew
	}
	return fmt.Sprintf("to see whether the same actions still violate %s: canvass replay %s --against %s; %s",
		h.Property, r.file, h.Model, anew)
}

// anew is the command that records a trace again.
func (r *replay) anew(h *traces.Header) string {
	switch {
	case !strings.HasPrefix(h.Model, simulate.ModelPrefix):
		return "check " + h.Model
	case r.file == "-":
		return "simulate --plan FILE"
	}
	return "simulate --plan " + r.file
}

// source is the origin of a trace.
type source struct {
	machine traces.Machine
	page    *traces.Page
	compare func(*traces.Header) error // wrong claims of the header
}

// source finds the origin of a trace: a model, or a scenario with its plan.
func (r *replay) source(t *traces.Trace) (*source, error) {
	if t.Header.Model == flight.ProductionModel {
		machine, err := flight.NewProduction(t)
		page := &traces.Page{Model: "The records of real daemons, joined into one run.", Property: t.Header.Description}
		return &source{machine, page, func(*traces.Header) error { return nil }}, err
	}
	name, simulated := strings.CutPrefix(t.Header.Model, simulate.ModelPrefix)
	if !simulated {
		system, err := r.system(t.Header.Model, t)
		if err != nil {
			return nil, err
		}
		compare := func(h *traces.Header) error { return r.compare(system, h) }
		return &source{system.Machine(), pageOf(system, &t.Header), compare}, nil
	}
	w := simulate.ScenarioNamed(r.tool.Scenarios(), name)
	if w == nil {
		return nil, errors.New(simulate.NoScenario(r.tool.Scenarios(), name))
	}
	plan, err := sim.DecodePlan(t.Header.Bounds)
	if err != nil {
		return nil, err
	}
	plan.Scenario = scenarios.CurrentName(plan.Scenario)
	if err := simulate.Measure(r.files, plan, nil, "put it there, relative to the working directory"); err != nil {
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
		Model: w.Doc, Property: property.Doc, Seen: seen, Why: w.Expected[t.Header.Property],
		Within: w.BoundsOf(plan), Words: w.Words(),
	}
	if property.Shape == checker.Quiescent {
		page.Demand = "It must hold in the end, when the faults have stopped and the network has had time to converge."
	}
	return &source{machine, page, func(*traces.Header) error { return nil }}, err
}

// Object is a replay in JSON. The help topic json describes the fields.
type Object struct {
	Schema     int            `json:"schema"`
	File       string         `json:"file"`
	Model      string         `json:"model"`
	Property   string         `json:"property"`
	Shape      string         `json:"shape"`
	Verdict    string         `json:"verdict"`
	Reproduced bool           `json:"reproduced"`
	Error      string         `json:"error,omitempty"`
	Against    *AgainstObject `json:"against,omitempty"`
	Loop       *int           `json:"loop"`
	Steps      []StepObject   `json:"steps"`
}

// StepObject is a step of a replay in JSON.
type StepObject struct {
	Kind    string            `json:"kind"`
	Node    string            `json:"node"`
	Peer    string            `json:"peer"`
	Text    string            `json:"text"`
	Cost    string            `json:"cost"`
	Changed map[string]string `json:"changed"`
	Effects []string          `json:"effects"`
}

func (r *replay) object(t *traces.Trace, fill func(*Object)) error {
	h := &t.Header
	o := Object{
		Schema:   cli.Schema,
		File:     r.file,
		Model:    h.Model,
		Property: h.Property,
		Shape:    h.Shape,
		Verdict:  h.Verdict,
		Steps:    []StepObject{},
	}
	if t.Loop >= 0 {
		o.Loop = &t.Loop
	}
	var before []traces.Variable
	for _, s := range t.Steps {
		a := s.Action
		step := StepObject{Kind: a.Kind, Node: a.Node, Peer: a.Peer, Text: a.Text, Cost: a.Cost,
			Changed: map[string]string{}, Effects: append([]string{}, s.Effects...)}
		for _, v := range traces.Changed(before, s.State) {
			step.Changed[v.Name] = v.Value
		}
		o.Steps, before = append(o.Steps, step), s.State
	}
	fill(&o)
	return r.tool.Stdout.JSON(o)
}
