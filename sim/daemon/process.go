package daemon

import (
	"errors"
	"strconv"
	"time"

	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol"
)

// killMicros is how long it takes at most until a process is gone after its deadline has passed, or
// its daemon has ended. A process that its daemon kills can take longer.
const (
	killMicros     = second / 50
	slowKillMicros = second
)

// process is a task that runs, with its shim. Shims outlive a crash of their daemon for a moment.
type process struct {
	m       *machine
	life    protocol.NodeID
	number  uint32
	job     string
	attempt string
	rank    int
	code    int
	files   int // that it leaves
	ended   func(runner.Exit)
	gone    bool
}

// virtualHost runs tasks in virtual time, as package runner promises: a process ends at the
// deadline, also if its daemon is stopped; it ends soon after its daemon has; and nothing of an
// earlier incarnation is left when the next one begins.
type virtualHost struct{ m *machine }

var _ host.Host = &virtualHost{}

// Look implements [host.Host].
func (h *virtualHost) Look(_ *jobs.Spec, done func(string, error)) { done("", nil) }

// Ports implements [host.Host].
func (h *virtualHost) Ports() ([]uint16, func(), error) { return []uint16{1}, func() {}, nil }

// Ails implements [host.Host].
func (h *virtualHost) Ails() string {
	if h.m.isFull() {
		return "disk-low"
	}
	return ""
}

// isFull reports whether the machine has no space for tasks.
func (m *machine) isFull() bool { return m.world.now() < m.full }

// Try implements [host.Host].
func (h *virtualHost) Try(done func(error)) { h.m.post(func() { done(nil) }) }

// command is that of a job that runs for a while and exits with a code. It may leave some files,
// and have an input.
func command(micros int64, code int, files ...string) []string {
	return append([]string{"work", strconv.FormatInt(micros, 10), strconv.Itoa(code)}, files...)
}

// errFull says that a machine cannot start a task.
var errFull = errors.New("no space left on device")

// Start implements [host.Host].
func (h *virtualHost) Start(t host.Task, ended func(runner.Exit)) (host.Process, error) {
	if h.m.isFull() {
		h.m.world.oracle.seen["unstarted"]++
		return nil, errFull
	}
	micros, _ := strconv.ParseInt(t.Command[1], 10, 64)
	code, _ := strconv.Atoi(t.Command[2])
	w := h.m.world
	p := &process{
		m: h.m, life: h.m.node.Self(), number: w.lastProcess + 1, job: t.ID, attempt: t.Attempt, rank: t.Rank,
		code: code, ended: ended,
	}
	if w.starts != nil {
		w.starts(h.m, t)
	}
	w.lastProcess++
	w.processes = append(w.processes, p)
	w.oracle.started(p)
	if len(t.Command) > 3 {
		p.files, _ = strconv.Atoi(t.Command[3])
		w.oracle.read(p, t.Command[4])
	}
	w.at(w.now()+micros, func() {
		if !p.gone {
			p.leave()
		}
		p.end(runner.Exit{Code: code})
	})
	return p, nil
}

// Kill implements [host.Process].
func (p *process) Kill(grace bool) {
	most := int64(killMicros)
	if grace || p.m.chance.Of(1, 4) {
		most = slowKillMicros
	}
	p.endSoon(p.m.chance.Between(0, most))
}

// Gone implements [host.Process].
func (p *process) Gone() bool { return p.gone }

func (p *process) endSoon(micros int64) {
	w := p.m.world
	w.at(w.now()+micros, func() { p.end(runner.Exit{Code: 137, Signal: 9, Killed: true}) })
}

// end is the end of a process. Its daemon is notified, if that incarnation still runs.
func (p *process) end(exit runner.Exit) {
	if p.gone {
		return
	}
	p.gone = true
	p.m.world.forget(p)
	if p.m.node != nil && p.m.node.Self() == p.life {
		p.m.post(func() { p.ended(exit) })
	}
}

// Extend implements [host.Host].
func (h *virtualHost) Extend(deadline time.Duration) {
	w := h.m.world
	h.m.deadline = max(h.m.deadline, h.m.virtual(deadline))
	w.at(h.m.deadline, func() {
		if w.now() >= h.m.deadline {
			w.endAll(h.m, killMicros)
		}
	})
}

// Isolation implements [host.Host].
func (h *virtualHost) Isolation() string { return "virtual" }

// LastLines implements [host.Host].
func (h *virtualHost) LastLines(string) string { return "" }

// Clear implements [host.Host].
func (h *virtualHost) Clear(attempt string) {
	delete(h.m.work, attempt)
	if clears := h.m.world.clears; clears != nil {
		clears(h.m)
	}
}

// Forget implements [host.Host].
func (h *virtualHost) Forget(string) error { return nil }

// Tidy implements [host.Host].
func (h *virtualHost) Tidy(wanted map[string]bool) {
	_, _ = h.m.kept.Sweep(func(digest string) bool { return wanted[digest] }, time.Time{})
	if h.m.isFull() {
		_ = h.m.cache.Shrink(0)
	}
}

// Close implements [host.Host].
func (h *virtualHost) Close() error { return nil }
