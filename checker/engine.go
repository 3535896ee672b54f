package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/checker/internal/statelog"
)

// Check explores every reachable state of the model and decides its properties.
//
// It returns an error only for invalid options or an invalid model, a model that breaks its
// contract ([ContractError]), a model that panics ([PanicError]) and a checkpoint that cannot be
// resumed ([CheckpointError]). Any other early end, by the context or a limit, yields a report that
// says so and leaves the rest undecided.
func Check(ctx context.Context, m Model, o Options) (*Report, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("checker: the context is nil; pass context.Background() for a check without a limit")
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

// engine is one check in progress: the state of its search (order.go), in any order.
type engine struct {
	model   Model
	options Options
	pool    workerPool
	bounds
	ledger
	search search

	applied  []string // the reductions in use
	declined []string // the others, with the reasons

	begun    time.Time
	reported time.Time
	phase    Phase
	queue    uint64 // in phase Linking: the states that remain
}

// newEngine validates model and options, and makes the workers and the search.
func newEngine(ctx context.Context, m Model, o Options) (*engine, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	e := &engine{model: m, options: o, begun: time.Now()}
	e.reported = e.begun
	e.classes, e.properties = slices.Clone(m.Classes()), slices.Clone(m.Properties())
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
	e.ctx, e.budget.Limit = ctx, o.MemoryLimitBytes
	e.reporter, _ = m.(MemoryReporter)
	for range o.Workers {
		e.pool.workers = append(e.pool.workers, e.newWorker())
	}
	e.workers = e.pool.workers
	e.search = o.Order.search(e)
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
		list.width, list.most = e.model.Width(), len(e.classes)
	}
	w.cases = make([]uint64, len(e.properties))
	w.first = make([]uint32, len(e.properties))
	for i := range w.first {
		w.first[i] = statelog.NoState
	}
	w.classes = make([]uint64, len(e.classes))
	return w
}

// validate rejects invalid models.
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
	e.search.run()
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

// panicError is the error that names the state in which the model panicked, with a path to it.
func (e *engine) panicError() error {
	c, nowhere := e.pool.crash, &Path{Loop: -1, Trigger: -1}
	if _, lost := c.value.(statelog.ReadError); lost || c.state == statelog.NoState && c.way == nil {
		return c.asError(nowhere)
	}
	var path *Path
	var err error
	if c.way != nil {
		path = c.way()
	} else {
		path, err = e.search.pathTo(c)
	}
	if err == nil {
		crashed := c.asError(path)
		if p, ok := crashed.(*PanicError); ok {
			p.State = textOf(e.model, path.Steps[len(path.Steps)-1].State)
		}
		return crashed
	}
	var broken *ContractError
	if wrong, ok := c.value.(error); ok && errors.As(wrong, &broken) { // then it is no surprise that there is no path
		return wrong
	}
	return err
}

// close frees what the garbage collector does not see.
func (e *engine) close() {
	e.forget()
	e.search.close()
}

// reportProgress calls the Progress function.
func (e *engine) reportProgress() {
	e.reported = time.Now()
	queue := e.queue
	if e.phase == Searching {
		queue = e.search.waiting()
	}
	p := Progress{
		Phase:       e.phase,
		States:      e.search.found(),
		Transitions: e.transitions,
		Depth:       e.search.depth(),
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

// conclude makes the report.
func (e *engine) conclude() (*Report, error) {
	r := &Report{
		States:      e.search.found(),
		Transitions: e.transitions,
		Depth:       e.search.depth(),
		Order:       e.options.Order,
		MemoryBytes: e.budget.Peak.Load(),
		ModelBytes:  e.budget.Model,
		Complete:    e.complete,
		Stopped:     e.stopped,
		Classes:     slices.Clone(e.classes),
		ClassCounts: e.counts,
		Reductions:  e.applied,
		Declined:    e.declined,
		Storage:     e.options.Storage,
		Audited:     e.audited,
	}
	e.search.describe(r)
	for i, p := range e.properties {
		f := &e.findings[i]
		path, err := e.search.pathOf(f)
		if err != nil {
			return nil, err
		}
		o := Outcome{Property: p, Verdict: f.verdict, Cases: f.cases, Path: path, Walk: f.walk, Forced: f.forced}
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
