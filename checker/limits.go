package checker

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// bounds say whether a check may go on, and why it ended.
type bounds struct {
	ctx        context.Context
	over, late atomic.Bool // the context has ended; it ended a while ago
	forget     func() bool // no longer waits for the end of the context

	budget   memory.Budget
	reporter MemoryReporter // nil if the model is not one

	stopped Reason
	failure error // why Check returns an error, such as a broken contract
}

// halt records why the check ends. The first reason stays.
func (b *bounds) halt(reason Reason) bool {
	if b.stopped == NotStopped {
		b.stopped = reason
	}
	return false
}

// patience is how long a round may still take after the context has ended. A round that is finished
// goes into the checkpoint.
const patience = 300 * time.Millisecond

// expire notes that the context has ended: workers look at the flags far more often than they
// could ask the context.
func (b *bounds) expire() {
	b.over.Store(true)
	time.AfterFunc(patience, func() { b.late.Store(true) })
}

// look breaks off an expansion that the limits do not allow. A single state may have more
// successors than there is memory or time for.
func (b *bounds) look(bytes int) {
	switch {
	case b.cancelled():
		panic(brokenOff{b.whyCancelled()})
	case b.budget.Limit > 0 && b.held()+uint64(bytes) > b.budget.Limit:
		panic(brokenOff{StoppedByMemory})
	}
}

// held is how much the tables of the engine and of the model hold now.
func (b *bounds) held() uint64 {
	bytes := b.budget.Used.Load()
	if b.reporter != nil {
		bytes += b.reporter.MemoryBytes()
	}
	return bytes
}

// cancelled reports whether the context has ended.
func (b *bounds) cancelled() bool { return b.ctx.Err() != nil }

// haltCancelled halts with the reason that the context gives.
func (b *bounds) haltCancelled() bool { return b.halt(b.whyCancelled()) }

// whyCancelled is the reason that the context gives.
func (b *bounds) whyCancelled() Reason {
	if errors.Is(b.ctx.Err(), context.DeadlineExceeded) {
		return StoppedByTimeout
	}
	return StoppedByInterrupt
}

// checkMemory compares the memory in use with the limit and halts if there is too much of it.
func (b *bounds) checkMemory() bool {
	var model uint64
	if b.reporter != nil {
		model = b.reporter.MemoryBytes()
	}
	if !b.budget.Observe(model) {
		return b.halt(StoppedByMemory)
	}
	return true
}

// mayGoOn reports whether time and memory allow to go on.
func (b *bounds) mayGoOn() bool {
	if b.cancelled() {
		return b.haltCancelled()
	}
	return b.checkMemory()
}

// FreeMemoryBytes is how much memory this process can still take before the machine, or the
// container that it runs in, runs out; 0 if that is unknown, as on systems other than Linux. It
// helps to choose [Options.MemoryLimitBytes].
func FreeMemoryBytes() uint64 {
	free := kibibytes("/proc/meminfo", "MemAvailable:")
	most, limited := number("/sys/fs/cgroup/memory.max")
	if used, ok := number("/sys/fs/cgroup/memory.current"); limited && ok {
		free = min(free, most-min(used, most))
	}
	return free
}

// kibibytes reads a number from a file that has a name, a number and "kB" in each line: 0 if it is
// not there.
func kibibytes(file, name string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		fields := bytes.Fields(line)
		if len(fields) < 2 || string(fields[0]) != name {
			continue
		}
		n, err := strconv.ParseUint(string(fields[1]), 10, 50)
		if err != nil {
			return 0
		}
		return n << 10
	}
	return 0
}

// number reads a file that holds nothing but a number.
func number(file string) (n uint64, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// heapGrowth is by how many percent the heap may grow between two collections.
const heapGrowth = 30

// TuneCollector sets the garbage collector of the whole process for checks, and returns a function
// that restores it. A check retains most of its allocations, so waiting until the heap has doubled,
// as is the default, takes memory and gains little. Use it in programs that do nothing else; the
// results of a check do not depend on it. If GOGC is set in the environment, it has no effect.
func TuneCollector() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(heapGrowth)
	return func() { debug.SetGCPercent(before) }
}

// ErrNested is returned by [Check] if a function of a model that is being checked has called it.
// Such a function would be called by the second check in turn, and so on.
var ErrNested = errors.New("checker: Check is called by a function of a model that is being checked; " +
	"check the other model before, and let the function use the result")

// mostChecks bounds the checks that run at once in this process. A function that starts a check in
// another goroutine, and waits for it, is noticed by that.
const mostChecks = 256

var checksRunning atomic.Int64

// isWithinCheck reports whether this goroutine is calling a function of a model.
func isWithinCheck() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if n == 0 {
			return false
		}
		for frames := runtime.CallersFrames(pcs[:n]); ; {
			frame, more := frames.Next()
			switch {
			case strings.HasSuffix(frame.Function, "/checker.(*workerPool).one"):
				return true
			case strings.HasSuffix(frame.Function, "/checker.(*workerPool).guard"):
				return false // a function of the options has called it
			}
			if !more {
				break
			}
		}
	}
}
