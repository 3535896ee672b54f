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
	if strings.TrimSpace(selection) == "" {
		return s.Workload, nil
	}
	var steps []step
	for text := range strings.SplitSeq(selection, ",") {
		text = strings.TrimSpace(text)
		apply, fault := parse(text)
		if fault != nil {
			fault.Task, fault.Step = "select", text
			return nil, fault
		}
		steps = append(steps, step{text, apply})
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
	s.Jobs = slices.Clone(s.Jobs) // lets go of what was left out
	return s.Workload, nil
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

// kinds are the steps. Each parses what follows its name and a colon; [parse] adds the form to the
// remedy of an error.
var kinds = []struct {
	name  string
	form  string
	parse func(argument string) (application, *Error)
}{
	{"compress", "compress:to=DURATION or compress:by=FACTOR", parseCompress},
	{"filter", "filter:parallel, filter:size<=N or filter:cluster=I", parseFilter},
	{"fold", "fold:FACTOR or fold:by=FACTOR", parseFold},
	{"head", "head:N", parseHead},
	{"load", "load:to=LOAD", parseLoad},
	{"runs", "runs:by=FACTOR", parseRuns},
	{"shake", "shake:DURATION", parseShake},
	{"window", "window:densest:N, window:densest:N:parallel or window:busiest:DURATION", parseWindow},
}

// parse reads a step.
func parse(text string) (application, *Error) {
	if text == "" {
		return nil, wrong("separate steps by one comma, such as filter:parallel,head:1000", "a step is empty")
	}
	name, argument, _ := strings.Cut(text, ":")
	var names []string
	for _, k := range kinds {
		if k.name == name {
			apply, fault := k.parse(argument)
			if fault != nil {
				fault.Remedy += "write " + k.form
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
