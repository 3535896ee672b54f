package checker

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/checker/internal/liveness"
	"github.com/canvass-grid/canvass/checker/internal/statekey"
	"github.com/canvass-grid/canvass/checker/internal/statelog"
	"github.com/canvass-grid/canvass/checker/internal/stateset"
)

// worker is the private state of one goroutine of the engine.
type worker struct {
	model Worker
	whole Model // whose worker it is
	reductions
	orbit      []uint32        // of canonical
	doing      modelCall       // the function of the model that was called last
	about      int             // and the property that it is about
	audited    uint64          // states in which functions were tested
	kept       []uint32        // of audit: the state
	raw        Successors      // of audit
	again      Successors      // of audit
	properties []Property      // of the engine
	hidden     Successors      // of a reduced state: all that is enabled
	out        Successors      // for states expanded one at a time
	state      uint32          // being expanded or evaluated, for the error if the model panics
	cases      []uint64        // by property, the last one deadlock: see Outcome.Cases
	first      []uint32        // by property: the first state that decides it, or noState
	classes    []uint64        // by class: transitions
	ends       []int           // by state of a batch: its successors in out end here
	cursor     statelog.Cursor // reads states
	keyer      statekey.Keyer  // makes keys
	recent     stateset.Recent // keys seen recently
	most       []uint32        // the largest values of words, where the layout of keys did not suffice,
	narrow     bool            // and whether it did not
	buffer     []byte          // for packing
	edges      liveness.Buffer // for building the graph
	way        func() *Path    // to the state, where that is none of the search; else nil
	metNew     bool            // it met a successor that the search had not found
}

// padAllocations ensures that later allocations share no cache line with earlier ones. Workers of a
// model are small and write to themselves all the time. Side by side they would slow each other
// down, and a model should not have to know.
func padAllocations() {
	const line = 128 // two cache lines, since they are fetched in pairs
	for size := 8; size <= 2*line; size += 8 {
		for range line/size + 1 {
			spaced.Store(&spacer{plain: make([]byte, size), pointers: make([]*byte, size/8)})
		}
	}
}

// spaced keeps the compiler from removing spacers as unused.
var spaced atomic.Pointer[spacer]

type spacer struct {
	plain    []byte
	pointers []*byte
}

// note records a state that decides a property. The first of these states counts, no matter
// which worker found it.
func (w *worker) note(property int, state uint32) { w.first[property] = min(w.first[property], state) }

// crash is a panic of the model.
type crash struct {
	task    int
	state   uint32
	calling string // the function that panicked
	value   any
	stack   []byte
	way     func() *Path // of the worker
}

// corrupted is a panic because of a state that has changed since it was made. If the function that
// changes it is caught, too, it is that function which is reported. Otherwise the check begins
// again: see [Rechecker].
type corrupted struct{ error }

func (c corrupted) Unwrap() error { return c.error }

// asError is the error that Check returns: the panic of the model, or the failure of the file of
// states.
func (c *crash) asError(path *Path) error {
	if lost, ok := c.value.(statelog.ReadError); ok {
		return lost.Err
	}
	return &PanicError{Value: c.value, Stack: c.stack, Path: path, Function: c.calling}
}

// workerPool distributes tasks among workers.
type workerPool struct {
	workers []*worker
	lock    sync.Mutex
	crash   *crash          // of the lowest task that panicked
	vague   bool            // the crash is a corrupted state
	stopped atomic.Uint32   // the Reason why a task was broken off
	look    func(bytes int) // called while a task lists successors; may be nil
	every   time.Duration
	tick    func() // called regularly by the goroutine that waits; may be nil
}

// each runs f once for every task below the given number, in parallel unless inline, and waits.
// Code that calls the model is never inline: it could make its goroutine exit, which must not be
// the caller's. Workers take tasks in ascending order. It reports false if the model panicked, or
// if a task was broken off. The other tasks have then run too, so that the panic that is reported
// does not depend on timing.
func (c *workerPool) each(tasks int, inline bool, f func(w *worker, task int)) bool {
	if inline || tasks == 0 {
		for task := range tasks {
			c.one(c.workers[0], task, f)
		}
		return c.going()
	}
	var next, idle atomic.Int64
	done := make(chan struct{})
	workers := min(len(c.workers), tasks)
	for _, w := range c.workers[:workers] {
		go func() {
			defer func() {
				if int(idle.Add(1)) == workers {
					close(done)
				}
			}()
			for task := int(next.Add(1)) - 1; task < tasks; task = int(next.Add(1)) - 1 {
				c.one(w, task, f)
			}
		}()
	}
	c.wait(done)
	return c.going()
}

// going reports whether nothing ended the tasks so far.
func (c *workerPool) going() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.crash == nil && c.broken() == NotStopped
}

// guard calls a function of the options. If it panics, the check ends with an error that names it.
func (c *workerPool) guard(name string, f func()) {
	done := false
	defer func() {
		if done {
			return
		}
		value := recover()
		if value == nil {
			value = exited
		}
		c.lock.Lock()
		defer c.lock.Unlock()
		c.crash = &crash{task: -1, state: statelog.NoState, calling: name, value: value, stack: debug.Stack()}
		c.vague = false
		c.stopped.CompareAndSwap(uint32(NotStopped), uint32(StoppedByInterrupt))
	}()
	f()
	done = true
}

// broken is why a task was broken off, if one was. Tasks that have not begun are then left out.
func (c *workerPool) broken() Reason { return Reason(c.stopped.Load()) }

// exited stands for the value of a panic if there was none.
const exited = "the goroutine was made to exit"

// brokenOff is the panic of a task when it must end within the function of the model that it
// called. It is not an error.
type brokenOff struct{ why Reason }

// wait calls tick until done is closed.
func (c *workerPool) wait(done <-chan struct{}) {
	if c.tick == nil {
		<-done
		return
	}
	ticker := time.NewTicker(c.every)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
			if c.going() {
				c.tick()
			}
		}
	}
}

// apart runs one task in a separate goroutine, and waits.
func (c *workerPool) apart(f func(w *worker)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.one(c.workers[0], 0, func(w *worker, _ int) { f(w) })
	}()
	<-done
}

// one runs one task and recovers its panic. If the model ends the goroutine instead, as a failing
// test does, that counts as a panic too.
func (c *workerPool) one(w *worker, task int, f func(w *worker, task int)) {
	if c.broken() != NotStopped {
		return
	}
	w.state, w.way = statelog.NoState, nil
	w.call(callNone, 0)
	w.out.look, w.hidden.look = c.look, c.look
	done := false
	defer func() {
		w.out.look, w.hidden.look = nil, nil
		if done {
			return
		}
		value := recover()
		if stop, ok := value.(brokenOff); ok {
			c.stopped.CompareAndSwap(uint32(NotStopped), uint32(stop.why))
			return
		}
		if value == nil {
			value = exited
		}
		c.lock.Lock()
		defer c.lock.Unlock()
		_, vague := value.(corrupted)
		if c.crash == nil || c.vague && !vague || c.vague == vague && task < c.crash.task {
			c.crash = &crash{
				task: task, state: w.state, calling: w.calling(), value: value, stack: debug.Stack(), way: w.way,
			}
			c.vague = vague
		}
	}()
	f(w, task)
	done = true
}

// PanicError is returned by [Check] when the model panicked while a state was being expanded or
// evaluated, or when a function of the [Options] did. Path leads to that state, so the panic can be
// replayed. It has no steps if there is no state, as while the model makes its initial states. The
// error wraps the value that was passed to panic, if that is an error.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // of the goroutine that panicked
	Path  *Path
	// Function is the function that panicked, and State the text of the state that it was given, if
	// the model has one: see [Texter].
	Function, State string
}

// Error gives the value that the model panicked with, and how deep the state is.
func (e *PanicError) Error() string {
	what := e.Function + " panicked"
	if e.Broken() != nil {
		what = "the model breaks its contract"
	}
	if e.Broken() != nil && len(e.Path.Steps) == 0 {
		what += " in its initial state"
	}
	if len(e.Path.Steps) > 0 {
		what += fmt.Sprintf(" in a state %d steps deep", e.Depth())
	}
	if e.State != "" {
		what += " (" + e.State + ")"
	}
	return fmt.Sprintf("checker: %s: %s", what, e.Problem())
}

// Unwrap returns what was passed to panic, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Depth is the number of steps that lead to the state.
func (e *PanicError) Depth() int { return max(len(e.Path.Steps)-1, 0) }

// Broken returns the error by which the model reported that it breaks its contract, or nil if it
// panicked with anything else.
func (e *PanicError) Broken() *ContractError {
	var broken *ContractError
	errors.As(e.Unwrap(), &broken)
	return broken
}

// Problem is the panic of the model, as text.
func (e *PanicError) Problem() string {
	if broken := e.Broken(); broken != nil {
		return broken.Problem
	}
	return fmt.Sprint(e.Value)
}

// ContractError is returned by [Check] when the model breaks its contract in a way that the engine
// notices: most often Expand does not return the same successors for the same state. A model that
// notices that it is broken may panic with a ContractError; the [PanicError] that wraps it has the
// path.
type ContractError struct{ Problem string }

// Error says which part of the contract was broken.
func (e *ContractError) Error() string { return "checker: the model breaks its contract: " + e.Problem }

// CheckpointError is returned by [Check] when a checkpoint cannot be resumed.
type CheckpointError struct {
	File    string
	Problem string
	Err     error // the cause; may be nil
}

// Error names the file, the problem and what to do.
func (e *CheckpointError) Error() string {
	text := "checker: resume from " + e.File + ": " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *CheckpointError) Unwrap() error { return e.Err }
