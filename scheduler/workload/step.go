package workload

import (
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// Select applies the steps of a selection, separated by commas, to a copy of a workload. The nodes
// are the platform's, for "load:to"; they may be 0 if no step needs them. An error is an [Error].
// All steps are read before the first is applied.
func Select(w *scheduler.Workload, selection string, nodes int, seed uint64) (*scheduler.Workload, error) {
	s := state{Workload: clone(w), nodes: nodes, seed: seed}
	steps, fault := parseAll(selection)
	if fault != nil {
		return nil, fault
	}
	if len(steps) == 0 {
		return s.Workload, nil
	}
	if w.HasTables() {
		return nil, &Error{Task: "select", Step: steps[0].text, What: "jobs have tasks, needs or values, which a selection " +
			"would leave behind", Remedy: "have fewer or other jobs generated"}
	}
	for _, next := range steps {
		s.step = next.text
		before := len(s.Jobs)
		fault := s.apply(next)
		if fault != nil {
			fault.Task, fault.Step, fault.Jobs = "select", next.text, before
			return nil, fault
		}
	}
	s.Jobs = slices.Clone(s.Jobs) // releases the jobs that were left out
	return s.Workload, nil
}

// CheckSelection refuses a selection with an unknown or malformed step, with an [Error].
func CheckSelection(selection string) error {
	if _, fault := parseAll(selection); fault != nil {
		return fault
	}
	return nil
}

// parseAll reads the steps of a selection. A blank one has none.
func parseAll(selection string) (steps []step, fault *Error) {
	if strings.TrimSpace(selection) == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(selection, ",") {
		text = strings.TrimSpace(text)
		apply, fault := parse(text)
		if fault != nil {
			fault.Task, fault.Step = "select", text
			return nil, fault
		}
		steps = append(steps, step{text, apply})
	}
	return steps, nil
}

// apply applies a step. No step sees or leaves a workload without jobs.
func (s *state) apply(next step) *Error {
	before := len(s.Jobs)
	if before == 0 {
		return wrong("give a workload with jobs", "there are no jobs")
	}
	if fault := next.apply(s); fault != nil {
		return fault
	}
	if len(s.Jobs) == 0 {
		return wrong("select less strictly", "it leaves none of %s", counted(before, "job"))
	}
	return nil
}

// clone copies all that a step may change.
func clone(w *scheduler.Workload) *scheduler.Workload {
	c := *w
	c.Jobs = slices.Clone(w.Jobs)
	c.Changes = slices.Clone(w.Changes)
	return &c
}

// step is one step of a selection and how it is applied.
type step struct {
	text  string
	apply application
}

type application func(*state) *Error

// state is a workload between two steps.
type state struct {
	*scheduler.Workload
	nodes  int
	seed   uint64
	step   string // the text of the present one
	shakes int    // so far
	draws  int    // of windows, likewise
}

// keep keeps the jobs that satisfy a condition, and notes how many it leaves out.
func (s *state) keep(condition func(*scheduler.Job) bool) {
	kept := s.Jobs[:0]
	for _, j := range s.Jobs {
		if condition(&j) {
			kept = append(kept, j)
		}
	}
	s.Note("left out by "+s.step, len(s.Jobs)-len(kept))
	s.Jobs = kept
}

// cut keeps the jobs from first on, up to but not including end.
func (s *state) cut(first, end int) {
	s.Note("left out by "+s.step, len(s.Jobs)-(end-first))
	s.Jobs = s.Jobs[first:end]
}

// A Step is one way to write a step of a selection.
type Step struct {
	Form string // "head:N"
	Doc  string // its effect: "the first N jobs"
}

// Steps lists all ways to write a step. A DURATION is a decimal number with unit ms, s, m, h or d,
// or in seconds; a FACTOR and a LOAD are decimal numbers above 0.
func Steps() []Step {
	var all []Step
	for _, k := range kinds() {
		all = append(all, k.steps...)
	}
	return all
}

// A stepKind is the steps of one name. parse reads the text after the name and a colon; [parse]
// adds the forms to the remedy of an error.
type stepKind struct {
	name  string
	steps []Step
	parse func(argument string) (application, *Error)
}

func kinds() []stepKind {
	return []stepKind{
		{"filter", []Step{
			{"filter:parallel", "jobs of at least 2 nodes"},
			{"filter:size<=N", "jobs of at most N nodes"},
			{"filter:cluster=I", "jobs of partition I, field 16 of the log"},
		}, parseFilter},
		{"head", []Step{{"head:N", "the first N jobs"}}, parseHead},
		{"window", []Step{
			{"window:densest:N", "the N consecutive jobs with the shortest span"},
			{"window:densest:N:parallel", "the same of the jobs of at least 2 nodes"},
			{"window:busiest:DURATION", "the window of that length with the most submissions"},
			{"window:drawn:N", "N consecutive jobs, drawn by seed"},
		}, parseWindow},
		{"compress", []Step{
			{"compress:to=DURATION", "times between submissions scaled so that they span DURATION"},
			{"compress:by=FACTOR", "times between submissions divided by FACTOR"},
		}, parseCompress},
		{"load", []Step{
			{"load:to=LOAD", "times between submissions scaled so that the offered load is LOAD"},
		}, parseLoad},
		{"runs", []Step{{"runs:by=FACTOR", "run times and requested times multiplied by FACTOR"}}, parseRuns},
		{"fold", []Step{{"fold:by=FACTOR", "sizes divided by FACTOR, rounded up; fold:FACTOR is the same"}}, parseFold},
		{"shake", []Step{
			{"shake:DURATION", "each submission moved by up to DURATION either way, drawn by seed"},
		}, parseShake},
	}
}

// form is how the steps of a kind are written: "A, B or C".
func (k stepKind) form() string {
	text := ""
	for i, s := range k.steps {
		switch {
		case i == 0:
		case i+1 == len(k.steps):
			text += " or "
		default:
			text += ", "
		}
		text += s.Form
	}
	return text
}

// parse reads a step.
func parse(text string) (application, *Error) {
	if text == "" {
		return nil, wrong("separate steps by one comma, such as filter:parallel,head:1000", "a step is empty")
	}
	name, argument, _ := strings.Cut(text, ":")
	var names []string
	for _, k := range kinds() {
		if k.name == name {
			apply, fault := k.parse(argument)
			if fault != nil {
				fault.Remedy += "write " + k.form()
			}
			return apply, fault
		}
		names = append(names, k.name)
	}
	return nil, wrong(near(name, names...)+"use one of "+strings.Join(names, ", "), "there is no step %q", name)
}

// setting reads "key=value", where the key is one of those allowed.
func setting(text string, keys ...string) (key, value string, fault *Error) {
	key, value, found := strings.Cut(text, "=")
	if found && !slices.Contains(keys, key) {
		return "", "", wrong(near(key, keys...), "there is no setting %q", key)
	}
	if !found {
		return "", "", wrong("", "%q is not a setting", text)
	}
	return key, value, nil
}
