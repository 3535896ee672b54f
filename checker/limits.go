package checker

import (
	"context"
	"errors"
	"time"
)

// patience is how long a round may still take after the context has ended. A round that is finished
// goes into the checkpoint.
const patience = 300 * time.Millisecond

// expire notes that the context has ended: workers look at the flags far more often than they
// could ask the context.
func (e *engine) expire() {
	e.over.Store(true)
	time.AfterFunc(patience, func() { e.late.Store(true) })
}

// look breaks off an expansion that the limits do not allow. A single state may have more
// successors than there is memory or time for.
func (e *engine) look(bytes int) {
	switch {
	case e.cancelled():
		panic(brokenOff{e.whyCancelled()})
	case e.options.MemoryLimitBytes > 0 && e.held()+uint64(bytes) > e.options.MemoryLimitBytes:
		panic(brokenOff{StoppedByMemory})
	}
}

// held is how much the tables of the engine and of the model hold now.
func (e *engine) held() uint64 {
	bytes := e.budget.Used.Load()
	if e.reporter != nil {
		bytes += e.reporter.MemoryBytes()
	}
	return bytes
}

// cancelled reports whether the context has ended.
func (e *engine) cancelled() bool { return e.ctx.Err() != nil }

// haltCancelled halts with the reason that the context gives.
func (e *engine) haltCancelled() bool { return e.halt(e.whyCancelled()) }

// whyCancelled is the reason that the context gives.
func (e *engine) whyCancelled() Reason {
	if errors.Is(e.ctx.Err(), context.DeadlineExceeded) {
		return StoppedByTimeout
	}
	return StoppedByInterrupt
}

// checkMemory compares the memory in use with the limit and halts if there is too much of it.
func (e *engine) checkMemory() bool {
	var model uint64
	if e.reporter != nil {
		model = e.reporter.MemoryBytes()
	}
	if !e.budget.Observe(model) {
		return e.halt(StoppedByMemory)
	}
	return true
}

// withinLimits reports whether the limits allow more states.
func (e *engine) withinLimits() bool {
	switch {
	case e.cancelled():
		return e.haltCancelled()
	case e.tooMany():
		return e.halt(StoppedByStates)
	}
	return e.checkMemory()
}

// tooMany reports whether there are more states than the options allow.
func (e *engine) tooMany() bool {
	limit := e.options.MaxStates
	return limit > 0 && uint64(e.states.Count) > limit
}
