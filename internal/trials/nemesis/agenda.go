package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// agenda is the schedule of a run. Times are on CLOCK_BOOTTIME. It belongs to one goroutine, except
// for the first function of later.
type agenda struct {
	zero    time.Duration // when the grid was ready
	log     io.Writer
	due     []action
	open    int // calls of later that have not ended
	answers chan func()
	checks  sync.WaitGroup
}

// action is something to do later.
type action struct {
	at time.Duration
	do func()
}

// answersMax bounds the calls of later that have ended and wait for the goroutine.
const answersMax = 64

func newAgenda(log io.Writer) *agenda {
	return &agenda{log: log, answers: make(chan func(), answersMax)}
}

// begin notes that the grid is ready.
func (a *agenda) begin() {
	a.zero = trials.BootTime()
	a.say("the grid is ready")
}

// say writes a line to the log, with the time since the grid was ready.
func (a *agenda) say(format string, args ...any) {
	if a.log == nil {
		return
	}
	at := time.Duration(0)
	if a.zero > 0 {
		at = trials.BootTime() - a.zero
	}
	fmt.Fprintf(a.log, "%9.3f  %s\n", at.Seconds(), fmt.Sprintf(format, args...))
}

// at schedules an action.
func (a *agenda) at(at time.Duration, do func()) {
	i, _ := slices.BinarySearchFunc(a.due, at+1, func(x action, t time.Duration) int { return cmp.Compare(x.at, t) })
	a.due = slices.Insert(a.due, i, action{at, do})
}

// later does something that takes time, and then something on the goroutine of the agenda.
func (a *agenda) later(do func() error, then func(error)) {
	a.open++
	a.checks.Go(func() {
		err := do()
		a.answers <- func() { a.open--; then(err) }
	})
}

// doDue runs the actions that are due, and returns the time of the next one.
func (a *agenda) doDue() (next time.Duration) {
	now := trials.BootTime()
	for len(a.due) > 0 && a.due[0].at <= now {
		first := a.due[0]
		a.due = a.due[1:]
		first.do()
	}
	if len(a.due) == 0 {
		return math.MaxInt64
	}
	return a.due[0].at
}

// isBusy reports whether something is scheduled or under way.
func (a *agenda) isBusy() bool { return len(a.due) > 0 || a.open > 0 }
