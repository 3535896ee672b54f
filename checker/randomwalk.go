package checker

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/canvass-grid/canvass/checker/internal/memory"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// The default limits of random walks.
const (
	walkSteps  = 1000
	walkStates = 1_000_000
)

// bugDepth is the default of [Options.BugDepth].
const bugDepth = 3

// walkBatch is how many walks are taken between two looks at their findings. It does not depend on
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

// sampling goes through a model by random walks, and stores no states.
type sampling struct {
	*engine
	picks   func(seed uint64) *picker // draws the actions of a walk
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

// prioritised is the picker of a walk of order PCT.
func (e *engine) prioritised(seed uint64) *picker {
	r := newPicker(seed)
	r.prioritise(len(e.classes), e.options.BugDepth, e.options.MaxDepth)
	return r
}

func (s *sampling) found() uint64   { return s.met }
func (s *sampling) depth() int      { return s.deepest }
func (s *sampling) waiting() uint64 { return 0 }
func (s *sampling) close()          {}

// visitedStates passes the states that walks began in: no others are kept.
func (s *sampling) visitedStates(yield func(state []uint32) bool) {
	for _, state := range s.initial {
		if !yield(state) {
			return
		}
	}
}

func (s *sampling) pathTo(c *crash) (*Path, error) { return s.retrace(&s.batch[c.task], int(c.state)) }

func (s *sampling) pathOf(f *finding) (*Path, error) { return f.path, nil }

func (s *sampling) describe(r *Report) { r.Walks, r.CollisionBound = s.count, 1 }

// run takes walks until a limit is reached. Any worker may take any walk of a batch. The
// walks are evaluated in order, so the report shows the first walk that decides a property.
func (s *sampling) run() {
	started := false
	s.pool.apart(func(*worker) { started = s.gatherInitial() })
	if !started {
		return
	}
	for {
		s.batch = memory.Resize(s.batch, s.walksDue())
		from := s.count
		ok := s.pool.each(len(s.batch), false, func(w *worker, task int) {
			s.walk(w, &s.batch[task], s.options.WalkSeed+from+uint64(task))
		})
		if !ok || !s.collectWalks() || !s.goOn() {
			return
		}
		s.reportIfDue()
	}
}

// gatherInitial lists the initial states.
func (s *sampling) gatherInitial() bool {
	return s.eachInitial(func(state []uint32) bool {
		if !s.budget.Take(4*len(state) + 24) {
			return s.halt(StoppedByMemory)
		}
		s.initial = append(s.initial, slices.Clone(state))
		return len(s.initial)%initialStretch != 0 || s.mayGoOn()
	})
}

// walksDue is how many walks to take next: not many more than it takes to visit as many states as
// are left.
func (s *sampling) walksDue() int {
	left := s.options.MaxStates - s.met
	due := min(left/(uint64(s.options.MaxDepth)+1)+1, walkBatch)
	if most := s.options.MaxWalks; most > 0 {
		due = min(due, most-s.count)
	}
	return int(due)
}

// walk takes one walk.
func (s *sampling) walk(w *worker, run *randomWalk, seed uint64) {
	r := s.picks(seed)
	run.initial, run.actions, run.met = r.IntN(len(s.initial)), run.actions[:0], 0
	state := slices.Clone(s.initial[run.initial])
	for step := uint32(0); ; step++ {
		if s.cancelled() {
			break
		}
		run.met++
		s.evaluate(w, step, state)
		if int(step) >= s.options.MaxDepth || uint64(step) >= s.options.MaxStates {
			break
		}
		w.out.Reset()
		w.call(callExpand, 0)
		w.model.Expand(state, &w.out)
		n := w.out.Len()
		if number := (seed-s.options.WalkSeed)*uint64(s.options.MaxDepth) + uint64(step); audited(number) {
			w.audit(number, state)
		}
		if n == 0 {
			s.checkEnd(w, step, state)
			break
		}
		w.count()
		action := r.pick(int(step), w.out.classes[w.out.base:])
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
func (s *sampling) collectWalks() bool {
	s.collectExpanded()
	before := s.count
	met, bytes := uint64(0), 0
	for i := range s.batch {
		run := &s.batch[i]
		met += run.met
		bytes += 4 * cap(run.actions)
		s.deepest = max(s.deepest, len(run.actions))
		if run.met > 0 {
			s.count++
		}
	}
	s.met += met
	s.budget.Take(bytes - s.counted)
	s.counted = bytes
	for _, p := range s.open {
		if shape := s.properties[p].Shape; shape == Always || shape == Sometimes {
			s.findings[p].cases += met
		}
	}
	for p := range s.properties {
		for _, w := range s.pool.workers {
			s.findings[p].cases += w.cases[p]
			w.cases[p] = 0
		}
		i := slices.IndexFunc(s.batch, func(run randomWalk) bool { return run.first[p] != statelog.NoState })
		if i >= 0 && !s.decideByWalk(p, &s.batch[i], before+uint64(i)) {
			return false
		}
	}
	s.reopen()
	return true
}

// decideByWalk sets the verdict on a property that a walk decides, unless it is decided already.
func (s *sampling) decideByWalk(p int, w *randomWalk, number uint64) bool {
	f := &s.findings[p]
	if f.verdict != Inconclusive {
		return true
	}
	f.verdict = Violated
	if s.properties[p].Shape == Sometimes {
		f.verdict = Holds
	}
	path, err := s.retrace(w, int(w.first[p]))
	f.path, f.walk, s.failure = path, number, err
	return err == nil
}

// goOn reports whether to take more walks.
func (s *sampling) goOn() bool {
	switch {
	case s.cancelled():
		return s.haltCancelled()
	case !s.checkMemory():
		return false
	case s.violated() && !s.options.ContinueAfterViolation, s.decided():
		return s.halt(StoppedByViolation)
	case s.met >= s.options.MaxStates, s.options.MaxWalks > 0 && s.count >= s.options.MaxWalks:
		return s.halt(StoppedBySampling)
	}
	return true
}

// retrace is the path of the first steps of a walk, without its cycles.
func (s *sampling) retrace(w *randomWalk, steps int) (*Path, error) {
	p := &Path{Initial: w.initial, Loop: -1, Trigger: -1}
	p.Steps = []PathStep{{State: slices.Clone(s.initial[w.initial]), Action: -1, Class: -1}}
	return p, s.onceMore(p, func() error { return s.walkStraight(w.actions[:steps], p) })
}

// walkStraight adds to a path the steps that actions take. Where they return to a state of the
// path, the steps in between are cut out.
func (s *sampling) walkStraight(actions []uint32, p *Path) error {
	w := s.pool.workers[0]
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

// walkStream is the second half of the seed of all walks.
const walkStream = 0x9e3779b97f4a7c15

// leastHorizon is the least number of steps, as a power of two, over which the changes of priority
// of a walk are spread.
const leastHorizon = 3

// picker draws the next action of a walk: any enabled one, or, with priorities, one of the enabled
// class that has the highest priority (PCT, probabilistic concurrency testing: Burckhardt, Kothari,
// Musuvathi and Nagarakatte, 2010). A walk is a function of its seed.
type picker struct {
	*rand.Rand
	priority []int // by class; nil without priorities
	changes  []int // the steps at which a priority changes, ascending
	lowest   int   // below all priorities
	enabled  []int // the successors of the class that was chosen
}

// newPicker returns the picker of the walk with a seed.
func newPicker(seed uint64) *picker { return &picker{Rand: rand.New(rand.NewPCG(seed, walkStream))} }

// prioritise draws the priorities of the classes, and the bugDepth - 1 steps at which one of them
// changes, for a walk of bounded length.
func (p *picker) prioritise(classes, bugDepth, most int) {
	p.priority = p.Perm(classes)
	// The length of a walk is not known beforehand. So the horizon is drawn: short ones as often as
	// long ones.
	longest := max(bits.Len(uint(most))-1, leastHorizon)
	horizon := 1 << (leastHorizon + p.IntN(longest-leastHorizon+1))
	for range bugDepth - 1 {
		p.changes = append(p.changes, p.IntN(horizon))
	}
	slices.Sort(p.changes)
}

// pick returns the index of the successor to go to, given the class of each. There must be one.
func (p *picker) pick(step int, classes []uint16) int {
	if p.priority == nil {
		return p.IntN(len(classes))
	}
	class := p.highest(classes)
	for ; len(p.changes) > 0 && p.changes[0] <= step; p.changes = p.changes[1:] {
		p.lowest--
		p.priority[class] = p.lowest
		class = p.highest(classes)
	}
	p.enabled = p.enabled[:0]
	for i, c := range classes {
		if c == class {
			p.enabled = append(p.enabled, i)
		}
	}
	return p.enabled[p.IntN(len(p.enabled))]
}

// highest is the enabled class with the highest priority.
func (p *picker) highest(classes []uint16) uint16 {
	best := classes[0]
	for _, class := range classes {
		if p.priority[class] > p.priority[best] {
			best = class
		}
	}
	return best
}
