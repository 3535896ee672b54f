package random

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

// walker takes chosen actions, one by one, and passes them to the recorder.
type walker struct {
	machine    traces.Machine
	enabled    []traces.Action
	nodes      map[string]int // by name: the index
	properties []checker.Property
	o          sim.RunOptions

	taken  []sim.Op
	stats  sim.Stats
	digest []byte
}

func newWalker(system model.Checkable, o sim.RunOptions) *walker {
	w := &walker{machine: system.Machine(), nodes: map[string]int{}, properties: propertiesOf(system), o: o}
	for i, v := range w.machine.State()[:system.Info().Nodes] { // the nodes come first
		w.nodes[v.Name] = i
	}
	if o.Record != nil {
		o.Record.Begin(w)
	}
	w.enabled = w.machine.Enabled()
	return w
}

// State implements [sim.View].
func (w *walker) State() []traces.Variable { return w.machine.State() }

// Draw implements [sim.View].
func (w *walker) Draw() (p traces.Picture) {
	if d, draws := w.machine.(traces.Drawer); draws {
		p = d.Draw()
	}
	return p
}

// Holds implements [sim.View].
func (w *walker) Holds(property string) (bool, error) { return w.machine.Check(property) }

// take takes an action.
func (w *walker) take(i int) {
	a := w.enabled[i]
	w.taken = append(w.taken, w.stepOf(a))
	w.count(a.Cost)
	w.digest = fmt.Append(w.digest, a.Kind, a.Node, a.Peer, a.Text)
	if w.o.Record != nil {
		w.o.Record.Before(a)
	}
	effects := w.machine.Take(i)
	if w.o.Record != nil {
		w.o.Record.After(effects, w)
	}
	w.enabled = w.machine.Enabled()
}

// count counts a fault.
func (w *walker) count(fault string) {
	w.stats.Steps++
	switch fault {
	case "drop":
		w.stats.Dropped++
	case "duplicate":
		w.stats.Duplicated++
	case "spurious":
		w.stats.Premature++
	case "crash":
		w.stats.Crashes++
	case "restart":
		w.stats.Restarts++
	}
}

// replay takes the actions of a path, if they are recorded or asked for. Without a path only the
// initial state is recorded.
func replay(system model.Checkable, path *checker.Path, o sim.RunOptions, r *sim.Result) error {
	if o.Record == nil && (path == nil || !o.Faults) {
		return nil
	}
	w := newWalker(system, o)
	if path == nil {
		return nil
	}
	for _, step := range path.Steps[min(1, len(path.Steps)):] {
		if step.Action >= len(w.enabled) {
			return &checker.ContractError{Problem: "the model and its machine disagree about the enabled actions"}
		}
		w.take(step.Action)
	}
	r.Steps = w.taken
	return nil
}

// follow takes the actions that a plan lists, if they are possible, and then all that cannot be
// postponed.
func (w *walker) follow(p *sim.Plan) (*sim.Result, error) {
	r := &sim.Result{Verdict: sim.Holds, Counts: map[string]int{"walks": 1}}
	for _, op := range p.Ops {
		if w.o.Stop != nil && w.o.Stop() {
			return nil, sim.ErrStopped
		}
		if i := w.find(op); i >= 0 && w.holds(r) {
			w.take(i)
		}
	}
	for i := w.due(); w.holds(r) && i >= 0 && len(w.taken) < LongestWalk; i = w.due() {
		w.take(i)
	}
	for _, v := range w.machine.State() {
		w.digest = fmt.Append(w.digest, v.Value)
	}
	r.Digest.State, r.Stats, r.Length, r.Steps = protocol.Hash(w.digest), w.stats, w.stats.Steps, w.taken
	return r, nil
}

// find returns the index of the action that an operation means, or -1 if it is not possible. If the
// exact action is not possible, another one of its sort is meant: the same message may have another
// number once an earlier step has been removed.
func (w *walker) find(op sim.Op) int {
	i := slices.IndexFunc(w.enabled, func(a traces.Action) bool { return w.stepOf(a) == op })
	if i < 0 {
		op.Arg >>= exactBits
		i = slices.IndexFunc(w.enabled, func(a traces.Action) bool {
			alike := w.stepOf(a)
			alike.Arg >>= exactBits
			return alike == op
		})
	}
	return i
}

// The Arg of a step holds a hash of the sort of its action (the peer, and the first word of the
// text) and, below it, a hash of the action. Both fit into the bits that every JSON reader
// preserves.
const (
	sortBits  = 26
	exactBits = 27
)

// stepOf is the operation of an action.
func (w *walker) stepOf(a traces.Action) sim.Op {
	word, _, _ := strings.Cut(a.Text, " ")
	hash := func(text string, bits int) uint64 { return protocol.Hash([]byte(a.Peer+"\x00"+text)) >> (64 - bits) }
	return sim.Op{
		Do:   sim.StepPrefix + a.Kind,
		Node: w.nodes[a.Node],
		Arg:  hash(word, sortBits)<<exactBits | hash(a.Text, exactBits),
	}
}

// due returns the index of an action that cannot be postponed forever, or -1 if there is none.
func (w *walker) due() int {
	for _, kind := range []string{"chosen", "deliver", "measured", "timeout"} {
		if i := slices.IndexFunc(w.enabled, func(a traces.Action) bool { return a.Kind == kind }); i >= 0 {
			return i
		}
	}
	return -1
}

// holds reports whether the run has violated no property so far. It records the first that the
// present state violates.
func (w *walker) holds(r *sim.Result) bool {
	for _, rule := range w.properties {
		if r.Verdict == sim.Violated {
			break
		}
		if holds, err := w.machine.Check(rule.Name); err != nil || !holds {
			picture := w.Draw()
			r.Verdict, r.Property, r.Where = sim.Violated, rule.Name, cmp.Or(
				picture.Remarked(rule.Name),
				"does not hold: "+rule.Doc,
			)
		}
	}
	return r.Verdict != sim.Violated
}
