package checker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/checker/internal/memory"
	"github.com/canvass-grid/canvass/checker/internal/statekey"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

// Check explores every reachable state of the model and decides its properties.
//
// It returns an error only for options or a model that make no sense, a model that breaks its
// contract ([ContractError]), a model that panics ([PanicError]) and a checkpoint that cannot be
// resumed ([CheckpointError]). Whatever else ends a check early, be it the context or a limit,
// yields a report that says so and leaves undecided what was not seen.
func Check(ctx context.Context, m Model, o Options) (*Report, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("checker: the context is nil; context.Background() is one that never ends a check")
	case m == nil:
		return nil, errors.New("checker: the model is nil")
	case isWithinCheck():
		return nil, ErrNested
	}
	defer checksRunning.Add(-1)
	if checksRunning.Add(1) > mostChecks {
		return nil, fmt.Errorf("%w, in another goroutine: %d checks are running at once", ErrNested, mostChecks)
	}
	r, err := check(ctx, m, o)
	var vague corrupted
	if again, ok := m.(Rechecker); errors.As(err, &vague) && ok && again.Recheck() {
		o.Checkpoint, o.Resume, o.Progress = "", false, nil
		if _, exact := check(ctx, m, o); exact != nil {
			err = exact
		}
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// check is one check from beginning to end.
func check(ctx context.Context, m Model, o Options) (*Report, error) {
	e, err := newEngine(ctx, m, o)
	if err != nil {
		return nil, err
	}
	defer e.close()
	return e.run()
}

// engine is one check in progress. The search is breadth first, level by level. A level is expanded
// in rounds (round.go), and what the states decide about the properties is collected after each
// round. Then the liveness properties are decided on the graph of all states (liveness.go).
type engine struct {
	ctx        context.Context
	model      Model
	options    Options
	properties []Property // of the model, and the deadlock check
	classes    []Class
	reporter   MemoryReporter // nil if the model is not one

	pool    workerPool
	budget  memory.Budget
	states  statelog.Log
	visited *stateset.Set
	layout  statekey.Layout     // of the keys in visited
	pairs   *statekey.PairTable // nil unless keys are folded
	blocks  []*stateset.Block   // of a round, reused
	levels  []uint32            // by depth: the first state
	ends    uint32              // where the level that is being expanded ends
	next    uint32              // the first state not yet expanded

	folded         uint32 // how many states there were when the order of folding was chosen
	compacted      bool   // compact was tried
	numbersCounted int64  // the bytes of numberBytes that the budget has counted

	started  bool      // all initial states are admitted, or those of the checkpoint
	midRound bool      // a round is admitted in part
	saved    time.Time // the last checkpoint, or when the check began
	saveFail error     // why the last checkpoint could not be written
	saveRate float64   // bytes of states a second of the last one
	kept     uint64    // the states in the checkpoint; 0 if there is none of this search
	keptNext uint32    // the first state that was not expanded in it

	audited uint64  // states in which the functions of the model were tested
	omitted float64 // an estimate of the states that the bitstate set omitted

	applied  []string // the reductions in use
	declined []string // the others, with the reasons

	findings    []finding
	open        []int // the properties of single states that are undecided
	transitions uint64
	counts      []uint64   // by class
	unreduced   [][]uint32 // the first initial states, if there is a symmetry; see auditUnreduced
	initialSum  uint64     // the sum of the hash values of the initial states
	complete    bool
	stopped     Reason
	failure     error // why Check returns an error, such as a broken contract

	over, late atomic.Bool // the context has ended; it ended a while ago
	forget     func() bool // no longer waits for the end of the context

	begun    time.Time
	reported time.Time
	phase    Phase
	queue    uint64 // in phase Linking: the states that remain

	walks walks      // orders RandomWalk and PCT only
	deep  depthFirst // orders DepthFirst and IterativeBound only
}

// finding is what is known about a property.
type finding struct {
	verdict Verdict
	cases   uint64
	trail   trail // empty if there is nothing to show
	path    *Path // of a random walk: instead of the trail
	walk    uint64
	forced  []string // see Outcome.Forced
}

// newEngine validates model and options and allocates the tables.
func newEngine(ctx context.Context, m Model, o Options) (*engine, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	e := &engine{ctx: ctx, model: m, options: o, begun: time.Now(), classes: m.Classes()}
	e.reported, e.saved = e.begun, e.begun
	e.reporter, _ = m.(MemoryReporter)
	e.properties = append(e.properties, m.Properties()...)
	if err := errors.Join(e.validate(), o.validateBitstate(FreeMemoryBytes())); err != nil {
		return nil, err
	}
	e.properties = append(e.properties, Property{
		Name:  Deadlock,
		Doc:   "every state without successors is a quiescent end",
		Shape: DeadlockFree,
	})
	e.findings = make([]finding, len(e.properties))
	e.counts = make([]uint64, len(e.classes))
	e.budget.Limit = o.MemoryLimitBytes
	e.states = statelog.Log{Width: m.Width(), Budget: &e.budget, Spill: statelog.Spill{Folder: o.TempDir},
		KeepBytes: statelog.KeptBytes}
	if o.MemoryLimitBytes > 0 {
		e.states.KeepBytes = int64(min(statelog.KeptBytes, o.MemoryLimitBytes/16))
	}
	e.visited = stateset.New(8*o.Workers, &e.budget)
	e.levels = []uint32{0}
	for range o.Workers {
		e.pool.workers = append(e.pool.workers, e.newWorker())
	}
	e.visited.Lossy = o.Storage == Bitstate
	e.use(o.layout(m.Width()))
	if o.Progress != nil {
		e.pool.every = o.ProgressEvery
		e.pool.tick = e.reportProgress
	}
	e.pool.look = e.look
	e.over.Store(e.cancelled())
	e.forget = context.AfterFunc(ctx, e.expire)
	e.reopen()
	e.reduce()
	if err := e.checkSnapshots(); err != nil {
		e.forget()
		return nil, err
	}
	return e, nil
}

// newWorker returns a worker with its own [Worker] of the model.
func (e *engine) newWorker() *worker {
	padAllocations()
	w := &worker{model: e.model.NewWorker(), whole: e.model}
	defer padAllocations()
	w.properties = e.properties
	for _, list := range []*Successors{&w.out, &w.hidden, &w.raw, &w.again} {
		list.width, list.most = e.states.Width, len(e.classes)
	}
	w.cursor = statelog.NewCursor(&e.states)
	w.cases = make([]uint64, len(e.properties))
	w.first = make([]uint32, len(e.properties))
	for i := range w.first {
		w.first[i] = statelog.NoState
	}
	w.classes = make([]uint64, len(e.classes))
	return w
}

// validate rejects models that make no sense.
func (e *engine) validate() error {
	if e.model.Width() < 1 {
		return errors.New("checker: Width of the model is less than 1; a state has at least one word")
	}
	if n := len(e.classes); n < 1 || n > maxClasses {
		return fmt.Errorf("checker: the model has %d classes; it must have from 1 to %d", n, maxClasses)
	}
	if err := validateClasses(e.classes); err != nil {
		return err
	}
	for _, p := range e.properties {
		if err := e.options.Storage.refuses(p); err != nil && !e.options.safetyOnly {
			return err
		}
	}
	return ValidateProperties(e.properties)
}

// run does the check.
func (e *engine) run() (r *Report, err error) {
	defer func() {
		problem := recover()
		if lost, ok := problem.(statelog.ReadError); ok {
			r, err = nil, lost.Err
		} else if problem != nil {
			panic(problem)
		}
	}()
	e.phase = Searching
	if e.options.Order.Samples() {
		e.takeWalks()
	} else {
		e.explore()
	}
	if why := e.pool.broken(); why != NotStopped {
		e.halt(why)
	}
	if err := e.changed(); err != nil { // it may be why something else went wrong
		return nil, err
	}
	switch {
	case e.pool.crash != nil:
		return nil, e.panicError()
	case e.failure != nil:
		return nil, e.failure
	}
	return e.conclude()
}

// explore visits every state, then decides liveness.
func (e *engine) explore() {
	begin := e.admitInitial
	if e.options.Resume {
		begin = e.resume
	}
	e.pool.apart(func(*worker) { e.started = begin() })
	if e.started && e.withinLimits() {
		e.pool.apart(e.auditUnreduced)
		e.searchAll()
	}
	switch e.stopped {
	case StoppedByInterrupt, StoppedByTimeout, StoppedByMemory: // then not all states were evaluated
	default:
		if e.started && e.pool.going() {
			e.pool.apart(e.auditLater)
		}
	}
	liveness := e.readyForLiveness()
	if e.started {
		e.saveAtEnd(liveness)
	}
	if liveness {
		e.checkLiveness()
	}
}

// searchAll visits all states that are reachable from the initial ones.
func (e *engine) searchAll() {
	if e.options.Order == BreadthFirst {
		e.search()
		return
	}
	e.searchDepthFirst()
}

// panicError is the error that names the state in which the model panicked, with a path to it.
func (e *engine) panicError() error {
	c, nowhere := e.pool.crash, &Path{Loop: -1, Trigger: -1}
	if _, lost := c.value.(statelog.ReadError); lost || c.state == statelog.NoState && c.way == nil {
		return c.asError(nowhere)
	}
	find := func() (*Path, error) { return e.path(e.trailTo(c.state)) }
	switch {
	case c.way != nil:
		find = func() (*Path, error) { return c.way(), nil }
	case e.options.Order.Samples():
		find = func() (*Path, error) { return e.retrace(&e.walks.batch[c.task], int(c.state)) }
	}
	path, err := find()
	if err == nil {
		crashed := c.asError(path)
		if p, ok := crashed.(*PanicError); ok {
			p.State = e.textOf(path.Steps[len(path.Steps)-1].State)
		}
		return crashed
	}
	var broken *ContractError
	if wrong, ok := c.value.(error); ok && errors.As(wrong, &broken) { // then it is no surprise that there is no path
		return wrong
	}
	return err
}

// halt records why the check ends. The first reason stays.
func (e *engine) halt(reason Reason) bool {
	if e.stopped == NotStopped {
		e.stopped = reason
	}
	return false
}

// close frees what the garbage collector does not see.
func (e *engine) close() {
	e.forget()
	e.visited.Clear()
	e.states.Spill.Close()
}

// reopen lists the properties of single states that are still undecided.
func (e *engine) reopen() {
	e.open = e.open[:0]
	for i, p := range e.properties[:len(e.properties)-1] {
		if !p.Shape.Live() && e.findings[i].verdict == Inconclusive {
			e.open = append(e.open, i)
		}
	}
}

// violated reports whether some property is known to be violated.
func (e *engine) violated() bool {
	for _, f := range e.findings {
		if f.verdict == Violated {
			return true
		}
	}
	return false
}

// decided reports whether every property is decided.
func (e *engine) decided() bool {
	for _, f := range e.findings {
		if f.verdict == Inconclusive {
			return false
		}
	}
	return true
}

// reportProgress calls the Progress function.
func (e *engine) reportProgress() {
	e.reported = time.Now()
	queue := e.queue
	if e.phase == Searching {
		queue = e.waiting()
	}
	p := Progress{
		Phase:       e.phase,
		States:      e.found(),
		Transitions: e.transitions,
		Depth:       e.depth(),
		Queue:       queue,
		Elapsed:     time.Since(e.begun),
		MemoryBytes: e.budget.Total(),
	}
	e.pool.guard("Options.Progress", func() { e.options.Progress(p) })
}

// reportIfDue calls the Progress function if it is time to.
func (e *engine) reportIfDue() {
	if e.options.Progress != nil && time.Since(e.reported) >= e.options.ProgressEvery {
		e.reportProgress()
	}
}

// waiting is how many states were found and not yet expanded.
func (e *engine) waiting() uint64 {
	switch e.options.Order {
	case BreadthFirst:
		return uint64(e.states.Count - e.next)
	case RandomWalk, PCT:
		return 0
	}
	return e.deep.waiting
}

// found is how many states were found, or visited by random walks.
func (e *engine) found() uint64 {
	if e.options.Order.Samples() {
		return e.walks.met
	}
	return uint64(e.states.Count)
}

// depth is the depth of the deepest state found.
func (e *engine) depth() int {
	switch e.options.Order {
	case RandomWalk, PCT:
		return e.walks.deepest
	case DepthFirst, IterativeBound:
		return e.deep.deepest
	}
	depth := len(e.levels) - 1
	if e.ends > 0 && e.states.Count > e.ends {
		depth++
	}
	return depth
}

// conclude makes the report.
func (e *engine) conclude() (*Report, error) {
	r := &Report{
		States:      e.found(),
		Transitions: e.transitions,
		Depth:       e.depth(),
		Order:       e.options.Order,
		Walks:       e.walks.count,
		MemoryBytes: e.budget.Peak.Load(),
		ModelBytes:  e.budget.Model,
		Complete:    e.complete,
		Stopped:     e.stopped,
		Classes:     slices.Clone(e.classes),
		ClassCounts: e.counts,
		Reductions:  e.applied,
		Declined:    e.declined,
		Storage:     e.options.Storage,

		CheckpointStates: e.kept,
		CheckpointError:  e.saveFail,
		Coverage:         1,
		Audited:          e.audited,
	}
	r.CollisionBound = r.Storage.collisionBound(r.States, e.states.Width)
	if r.Order.Samples() {
		r.CollisionBound, r.Coverage = 1, 0
	}
	if e.omitted > 0 {
		r.Coverage = float64(r.States) / (float64(r.States) + e.omitted)
	}
	if e.states.Count > 0 {
		bytes := float64(int64(e.states.InMemory()+e.visited.Memory()) + e.numberBytes())
		r.DiskBytes = e.states.OnDisk()
		r.BytesPerState = math.Round(100*bytes/float64(r.States)) / 100
	}
	for i, p := range e.properties {
		f := e.findings[i]
		o := Outcome{Property: p, Verdict: f.verdict, Cases: f.cases, Path: f.path, Walk: f.walk, Forced: f.forced}
		if len(f.trail.hops) > 0 {
			path, err := e.path(f.trail)
			if err != nil {
				return nil, err
			}
			o.Path = path
		}
		if o.Path != nil {
			if err := e.verify(i, o.Path); err != nil {
				return nil, err
			}
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	r.Elapsed = time.Since(e.begun)
	return r, nil
}
