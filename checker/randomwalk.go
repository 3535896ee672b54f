package checker

import (
	"math"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/memory"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/walk"
)

// The default limits of random walks.
const (
	walkSteps  = 1000
	walkStates = 1_000_000
)

// bugDepth is the default of [Options.BugDepth].
const bugDepth = 3

// walkBatch is how many walks are taken between two looks at what they found. It does not depend on
// the number of workers, so neither does where the check ends.
const walkBatch = 64

// walks returns the options with the limits of random walks filled in.
func (o Options) walks() Options {
	if o.MaxDepth == 0 {
		o.MaxDepth = walkSteps
	}
	if o.MaxStates == 0 && o.MaxWalks > 0 {
		o.MaxStates = math.MaxUint64
	}
	if o.MaxStates == 0 {
		o.MaxStates = walkStates
	}
	return o
}

// walks is the state of a search by random walks.
type walks struct {
	initial [][]uint32
	batch   []randomWalk
	count   uint64 // walks taken
	met     uint64 // states visited by them
	deepest int    // steps of the longest walk
	counted int    // the bytes of batch that the budget has counted
}

// randomWalk is a walk, as the choices that were drawn.
type randomWalk struct {
	initial int
	actions []uint32 // indexes in the Expand order
	met     uint64   // states evaluated
	first   []uint32 // by property: the step that decides it, or noState
}

// takeWalks takes walks until a limit is reached. Any worker may take any walk of a batch. The
// walks are evaluated in order, so the report shows the first walk that decides a property.
func (e *engine) takeWalks() {
	e.pool.apart(func(*worker) { e.started = e.gatherInitial() })
	if !e.started {
		return
	}
	for {
		e.walks.batch = memory.Resize(e.walks.batch, e.walksDue())
		from := e.walks.count
		ok := e.pool.each(len(e.walks.batch), false, func(w *worker, task int) {
			e.walk(w, &e.walks.batch[task], e.options.WalkSeed+from+uint64(task))
		})
		if !ok || !e.collectWalks() || !e.goOn() {
			return
		}
		e.reportIfDue()
	}
}

// gatherInitial lists the initial states.
func (e *engine) gatherInitial() bool {
	return e.eachInitial(func(state []uint32) bool {
		if !e.budget.Take(4*len(state) + 24) {
			return e.halt(StoppedByMemory)
		}
		e.walks.initial = append(e.walks.initial, slices.Clone(state))
		return len(e.walks.initial)%initialStretch != 0 || e.withinLimits()
	})
}

// walksDue is how many walks to take next: not many more than it takes to visit as many states as
// are left.
func (e *engine) walksDue() int {
	left := e.options.MaxStates - e.walks.met
	due := min(left/(uint64(e.options.MaxDepth)+1)+1, walkBatch)
	if most := e.options.MaxWalks; most > 0 {
		due = min(due, most-e.walks.count)
	}
	return int(due)
}

// walk takes one walk.
func (e *engine) walk(w *worker, run *randomWalk, seed uint64) {
	r := walk.NewPicker(seed)
	if e.options.Order == PCT {
		r.Prioritise(len(e.classes), e.options.BugDepth, e.options.MaxDepth)
	}
	run.initial, run.actions, run.met = r.IntN(len(e.walks.initial)), run.actions[:0], 0
	state := slices.Clone(e.walks.initial[run.initial])
	for step := uint32(0); ; step++ {
		if e.cancelled() {
			break
		}
		run.met++
		e.evaluate(w, step, state)
		if int(step) >= e.options.MaxDepth || uint64(step) >= e.options.MaxStates {
			break
		}
		w.out.Reset()
		w.call(callExpand, 0)
		w.model.Expand(state, &w.out)
		n := w.out.Len()
		if number := (seed-e.options.WalkSeed)*uint64(e.options.MaxDepth) + uint64(step); audited(number) {
			e.audit(w, number, state)
		}
		if n == 0 {
			e.checkEnd(w, step, state)
			break
		}
		w.count()
		action := r.Pick(int(step), w.out.classes[w.out.base:])
		run.actions = append(run.actions, uint32(action))
		copy(state, w.out.At(action))
	}
	run.first = append(run.first[:0], w.first...)
	for p := range w.first {
		w.first[p] = statelog.NoState
	}
}

// collectWalks merges what the walks of a batch found. It reports false if the model broke its
// contract.
func (e *engine) collectWalks() bool {
	e.collectExpanded()
	before := e.walks.count
	met, bytes := uint64(0), 0
	for i := range e.walks.batch {
		run := &e.walks.batch[i]
		met += run.met
		bytes += 4 * cap(run.actions)
		e.walks.deepest = max(e.walks.deepest, len(run.actions))
		if run.met > 0 {
			e.walks.count++
		}
	}
	e.walks.met += met
	e.budget.Take(bytes - e.walks.counted)
	e.walks.counted = bytes
	for _, p := range e.open {
		if shape := e.properties[p].Shape; shape == Always || shape == Sometimes {
			e.findings[p].cases += met
		}
	}
	for p := range e.properties {
		for _, w := range e.pool.workers {
			e.findings[p].cases += w.cases[p]
			w.cases[p] = 0
		}
		i := slices.IndexFunc(e.walks.batch, func(run randomWalk) bool { return run.first[p] != statelog.NoState })
		if i >= 0 && !e.decideByWalk(p, &e.walks.batch[i], before+uint64(i)) {
			return false
		}
	}
	e.reopen()
	return true
}

// decideByWalk sets the verdict on a property that a walk decides, unless it is decided already.
func (e *engine) decideByWalk(p int, w *randomWalk, number uint64) bool {
	f := &e.findings[p]
	if f.verdict != Inconclusive {
		return true
	}
	f.verdict = Violated
	if e.properties[p].Shape == Sometimes {
		f.verdict = Holds
	}
	path, err := e.retrace(w, int(w.first[p]))
	f.path, f.walk, e.failure = path, number, err
	return err == nil
}

// goOn reports whether to take more walks.
func (e *engine) goOn() bool {
	switch {
	case e.cancelled():
		return e.haltCancelled()
	case !e.checkMemory():
		return false
	case e.violated() && !e.options.ContinueAfterViolation, e.decided():
		return e.halt(StoppedByViolation)
	case e.walks.met >= e.options.MaxStates, e.options.MaxWalks > 0 && e.walks.count >= e.options.MaxWalks:
		return e.halt(StoppedBySampling)
	}
	return true
}

// retrace is the path of the first steps of a walk, without its cycles.
func (e *engine) retrace(w *randomWalk, steps int) (*Path, error) {
	p := &Path{Initial: w.initial, Loop: -1, Trigger: -1}
	p.Steps = []PathStep{{State: slices.Clone(e.walks.initial[w.initial]), Action: -1, Class: -1}}
	return p, e.onceMore(p, func() error { return e.walkStraight(w.actions[:steps], p) })
}

// walkStraight adds to a path the steps that actions take. Where they return to a state of the
// path, the steps in between are cut out.
func (e *engine) walkStraight(actions []uint32, p *Path) error {
	w := e.pool.workers[0]
	at := map[string]int{wordKey(p.Steps[0].State): 0}
	for _, action := range actions {
		w.out.Reset()
		w.call(callExpand, 0)
		w.model.Expand(p.Steps[len(p.Steps)-1].State, &w.out)
		if int(action) >= w.out.Len() {
			return &ContractError{"Expand does not return the same successors again: a state lost one"}
		}
		next := PathStep{State: slices.Clone(w.out.At(int(action))), Action: int(action),
			Class: w.out.Class(int(action))}
		key := wordKey(next.State)
		if before, ok := at[key]; ok {
			for _, step := range p.Steps[before+1:] {
				delete(at, wordKey(step.State))
			}
			p.Steps = p.Steps[:before+1]
			continue
		}
		at[key] = len(p.Steps)
		p.Steps = append(p.Steps, next)
	}
	return nil
}

// wordKey is a state as the key of a map.
func wordKey(state []uint32) string {
	b := make([]byte, 0, 4*len(state))
	for _, w := range state {
		b = append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return string(b)
}
