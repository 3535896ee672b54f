package trials

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/local"
)

// Grid is daemons of this machine, numbered from 1. A daemon that has fenced itself is started
// again, as "canvass dev" does.
type Grid struct {
	*Trial
	Ready time.Duration // how long it took to form

	watcher sync.WaitGroup
	over    chan struct{}
	once    sync.Once

	mu    sync.Mutex
	local local.Grid
	codes map[int]int // exit codes of the daemons that have ended
}

// Grid starts daemons, and waits until they are a grid.
func (t *Trial) Grid(nodes int) *Grid { return t.GridWithin(nodes, time.Minute) }

// GridWithin is Grid with a limit.
func (t *Trial) GridWithin(nodes int, limit time.Duration) *Grid {
	folder := filepath.Join(t.Folder, fmt.Sprintf("g%d", len(t.grids)))
	g := &Grid{
		Trial: t, over: make(chan struct{}), codes: map[int]int{},
		local: local.Grid{Folder: folder, Binary: t.Canvass, Nodes: nodes},
	}
	begin := time.Now()
	err := g.local.Make()
	t.Demand(err == nil, "%v", err)
	t.grids = append(t.grids, g)
	ctx, stop := context.WithTimeout(t.Context, limit)
	defer stop()
	if _, err := g.local.Form(ctx); err != nil {
		g.End()
		t.Demand(false, "%d daemons are no grid within %v: %v", nodes, limit, err)
	}
	g.Ready = time.Since(begin)
	g.watcher.Go(g.watch)
	return g
}

// watch notes which daemons end.
func (g *Grid) watch() {
	for {
		select {
		case <-g.over:
			return
		case i := <-g.local.Ended():
			g.mu.Lock()
			code := g.local.Gone(i).ExitCode()
			if g.codes[i+1] = code; code == local.ExitFenced {
				_ = g.local.Start(i) // the trial notices that it is missing
			}
			g.mu.Unlock()
		}
	}
}

// End ends the daemons and all other processes from the folder of the grid.
func (g *Grid) End() {
	g.once.Do(func() {
		close(g.over)
		g.watcher.Wait()
		g.local.End()
		for _, p := range WithText(g.local.Folder + "/") {
			_ = syscall.Kill(p.PID, syscall.SIGKILL) // it may have ended
		}
	})
}

// Path is a file in the folder of the grid.
func (g *Grid) Path(name string) string { return filepath.Join(g.local.Folder, name) }

// Agents is the beginning of the command lines of all daemons, behind the name of the program.
func (g *Grid) Agents() string { return "agent --data " + g.local.Folder }

// Data is the folder of a daemon.
func (g *Grid) Data(n int) string { return g.local.Data(n - 1) }

// Socket is where users reach a daemon.
func (g *Grid) Socket(n int) string { return g.local.Socket(n - 1) }

// PID is the process of a daemon, or 0.
func (g *Grid) PID(n int) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.local.Alive(n - 1) {
		return 0
	}
	return g.local.PID(n - 1)
}

// HasEnded reports whether a daemon has ended, and with which exit code.
func (g *Grid) HasEnded(n int) (code int, ended bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.codes[n], !g.local.Alive(n - 1)
}

// Sh runs a line of the shell. In it canvass reaches the first daemon.
func (g *Grid) Sh(line string, args ...any) Output { return g.shell(g.variables(), line, args...) }

// Must is Sh for a line that has to succeed.
func (g *Grid) Must(line string, args ...any) string { return g.succeed(g.variables(), line, args...) }

func (g *Grid) variables() []string { return []string{"CANVASS_SOCKET=" + g.Socket(1)} }

// Signal sends a signal to a daemon.
func (g *Grid) Signal(n int, s syscall.Signal) {
	pid := 0
	g.Until(5*time.Second, "running", func() bool { // it may just be starting again
		pid = g.PID(n)
		return pid > 0
	})
	g.Demand(syscall.Kill(pid, s) == nil, "daemon n%d cannot get %v", n, s)
}

// Kill kills daemons at once, and waits until they have ended.
func (g *Grid) Kill(numbers ...int) {
	g.Until(10*time.Second, "dead", func() bool {
		dead := true
		for _, n := range numbers {
			if pid := g.PID(n); pid > 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
				dead = false
			}
		}
		return dead
	})
}

// Gone waits until a daemon has ended.
func (g *Grid) Gone(n int) {
	g.Until(10*time.Second, "ended", func() bool {
		_, ended := g.HasEnded(n)
		return ended
	})
}

// Start starts a daemon that has ended.
func (g *Grid) Start(n int) {
	g.Gone(n)
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.local.Start(n - 1)
	g.Demand(err == nil, "%v", err)
}

// Whole waits until a number of daemons are members.
func (g *Grid) Whole(nodes int) {
	limit := time.Minute
	whole := g.Within(limit, func() bool {
		return strings.Count(g.Sh("canvass node status --json").Stdout, `"phase":"member"`) == nodes
	})
	g.Demand(whole, "the grid is not whole after %v: %v", limit, g.Sh("canvass node status"))
}

// Succeed waits until jobs have ended, and demands that all have succeeded.
func (g *Grid) Succeed(ids ...string) {
	for _, id := range ids {
		o := g.Sh("timeout 120 canvass wait %s", id)
		g.Demand(o.Code == 0, "job %s: %v; why: %s", id, o, g.Sh("canvass status %s; canvass why %s", id, id).Stdout)
	}
}

// hostOf is the host of a job of one task, in the words of canvass status.
var hostOf = regexp.MustCompile(`rank 0 +host ([A-D])\b`)

// Elsewhere submits a job, again until it runs on another daemon than the first, which is asked.
func (g *Grid) Elsewhere(command string) (id string, host int) {
	for {
		id = g.Must("canvass submit -- %s", command)
		g.Until(30*time.Second, "running", func() bool {
			found := hostOf.FindStringSubmatch(g.Must("canvass status %s", id))
			if found != nil {
				host = int(found[1][0]-'A') + 1
			}
			return found != nil
		})
		if host > 1 {
			return id, host
		}
		g.Must("canvass cancel %s", id)
	}
}

// BeatElsewhere is Elsewhere for a job that beats for some seconds. It waits for the first beat.
func (g *Grid) BeatElsewhere() (id string, host int) {
	id, host = g.Elsewhere(g.Beats(7 * time.Second))
	g.Until(10*time.Second, "beating", g.IsBeating)
	return id, host
}
