package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/internal/trials"
)

// leaveSlack is the time in which a daemon ends after its time to leave is over.
const leaveSlack = 10 * time.Second

// watchEvery is the interval between two looks at a daemon that leaves.
const watchEvery = 200 * milli

// leaver is a daemon that was made to leave.
type leaver struct {
	fault Fault
	pid   int
	over  time.Duration // its time
	until time.Duration // by then it has ended
	// unsure says why the command may not have reached the daemon; guarded by run.mu.
	unsure string
}

// leave makes a daemon leave. The fault counts when the daemon has ended by it.
func (r *run) leave(f Fault) string {
	i := f.Nodes[0] - 1
	if !r.grid.Alive(i) || r.down[i] || r.leaving[i] != nil || r.away() >= r.Plan.Bounds.Down {
		return "no daemon may leave now"
	}
	l := &leaver{fault: f, pid: r.grid.PID(i), over: trials.BootTime() + LeaveLimit}
	if f.Kind == Drain {
		l.over = trials.BootTime() + f.Within
	}
	l.until = l.over + leaveSlack
	r.leaving[i] = l
	if f.Kind == Drain {
		name := r.letters[i]
		r.checks.Go(func() { r.drain(l, name) })
	} else {
		_ = syscall.Kill(l.pid, syscall.SIGTERM) // it may have ended
	}
	r.watch(i, l)
	return "asked"
}

// away is how many daemons are down, or may soon be.
func (r *run) away() int {
	n := len(r.down)
	for i := range r.leaving {
		if !r.down[i] {
			n++
		}
	}
	return n
}

// drain runs the command. It returns when the daemon has left.
func (r *run) drain(l *leaver, name string) {
	f := l.fault
	asked := f.Nodes[len(f.Nodes)-1] - 1
	limited, cancel := context.WithTimeout(context.Background(), f.Within+2*leaveSlack)
	defer cancel()
	cmd := exec.CommandContext(limited, r.grid.Binary, "node", "drain", "--yes", "--socket", r.grid.Socket(asked),
		"--deadline", f.Within.String(), name)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		r.mu.Lock()
		l.unsure = fmt.Sprintf("%v: %s", err, strings.TrimSpace(said.String()))
		r.mu.Unlock()
	}
}

// watch checks whether a daemon that leaves ends in time. A stopped daemon cannot. Nothing is
// demanded if the command failed, for example because it was sent to another daemon that could not
// reach this one.
func (r *run) watch(i int, l *leaver) {
	if r.leaving[i] != l {
		return
	}
	r.mu.Lock()
	unsure := l.unsure
	r.mu.Unlock()
	now := trials.BootTime()
	if r.stopped[l.pid] > 0 {
		l.until = max(l.until, now+leaveSlack)
	}
	switch {
	case now < l.until:
		r.at(now+watchEvery, func() { r.watch(i, l) })
	case unsure != "":
		r.say("n%d has perhaps no request to leave: %s", i+1, unsure)
	default:
		text := fmt.Sprintf("at %v daemon n%d was still there, %v after its time to leave was over (%v)",
			now-r.zero, i+1, leaveSlack, l.fault)
		r.say("%s", text)
		r.report.Exits = append(r.report.Exits, text)
	}
}

// goes notes that a daemon has ended because it had to leave. It is started again like a daemon
// that was killed.
func (r *run) goes(i int) {
	f := r.leaving[i].fault
	now := trials.BootTime()
	r.report.count(f.Kind).Happened++
	if now < r.leaving[i].over {
		r.report.LeftEarly++
	}
	r.say("n%d has left: %s", i+1, r.lastWords(i))
	r.crashed = append(r.crashed, crash{r.letters[i], now})
	r.down[i] = true
	r.at(now+f.For, func() { r.restart(i) })
}
