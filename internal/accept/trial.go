package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// trial is one try of an item.
type trial struct {
	settings
	ctx    context.Context
	folder string
	grids  []*grid
}

// failure ends a try.
type failure string

// Error is what was seen.
func (f failure) Error() string { return string(f) }

// demand ends the try unless something holds. Text says what was seen.
func (t *trial) demand(holds bool, text string, args ...any) {
	if !holds {
		panic(failure(fmt.Sprintf(text, args...)))
	}
}

// output is what a command has said.
type output struct {
	code           int
	stdout, stderr string
}

func (o output) String() string {
	return fmt.Sprintf("exit %d, %q, %q", o.code, short(o.stdout), short(o.stderr))
}

func short(text string) string {
	if len(text) > 300 {
		return text[:300] + "…"
	}
	return text
}

// sh runs a line of the shell, in which canvass is the program.
func (t *trial) sh(g *grid, line string, args ...any) output {
	cmd := exec.CommandContext(t.ctx, "sh", "-c", fmt.Sprintf(line, args...))
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(t.binary)+":"+os.Getenv("PATH"), "XDG_RUNTIME_DIR="+t.folder)
	if g != nil {
		cmd.Env = append(cmd.Env, "CANVASS_SOCKET="+g.socket(1))
	}
	cmd.Dir, cmd.WaitDelay = t.folder, time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	o := output{0, stdout.String(), stderr.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		o.code = exit.ExitCode()
	} else if err != nil {
		t.demand(false, "%s: %v", fmt.Sprintf(line, args...), err)
	}
	return o
}

// must is sh for a line that has to succeed. It returns what was printed.
func (t *trial) must(g *grid, line string, args ...any) string {
	o := t.sh(g, line, args...)
	t.demand(o.code == 0, "%s: %v", fmt.Sprintf(line, args...), o)
	return strings.TrimSpace(o.stdout)
}

// until waits until something holds, and returns how long that took.
func (t *trial) until(limit time.Duration, what string, holds func() bool) time.Duration {
	begin := time.Now()
	for !holds() {
		t.demand(time.Since(begin) < limit && t.ctx.Err() == nil, "after %v: not %s", limit, what)
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(begin)
}

// count is how many processes have a text in their command line.
func (t *trial) count(text string) int {
	n := 0
	for _, p := range processes(text) {
		if p != os.Getpid() {
			n++
		}
	}
	return n
}

// processes are the ids of those whose command line has a text.
func processes(text string) (ids []int) {
	found, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		panic(err)
	}
	for _, name := range found {
		line, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		if strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) {
			if id, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// grid is daemons of this machine.
type grid struct {
	*trial
	dev    *exec.Cmd
	folder string
	ended  chan struct{}
	ready  time.Duration

	mu     sync.Mutex
	agents []*exec.Cmd       // that were started again
	codes  map[*exec.Cmd]int // of those of them that have ended
	over   bool
}

// grid starts daemons, and waits until they are ready.
func (t *trial) grid(nodes int) *grid { return t.gridWithin(nodes, time.Minute) }

func (t *trial) gridWithin(nodes int, limit time.Duration) *grid {
	g := &grid{trial: t, folder: filepath.Join(t.folder, fmt.Sprintf("g%d", len(t.grids))), ended: make(chan struct{})}
	g.codes = map[*exec.Cmd]int{}
	log := g.folder + ".log"
	f, err := os.Create(log)
	t.demand(err == nil, "%v", err)
	defer f.Close()
	g.dev = exec.Command(t.binary, "dev", "--nodes", strconv.Itoa(nodes), "--dir", g.folder)
	g.dev.Stderr = f
	g.dev.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.folder)
	err = g.dev.Start()
	t.demand(err == nil, "%v", err)
	t.grids = append(t.grids, g)
	go func() { _ = g.dev.Wait(); close(g.ended) }()
	g.ready = t.until(limit, "ready", func() bool {
		text, _ := os.ReadFile(log)
		select {
		case <-g.ended:
			t.demand(false, "dev has ended: %s", lastLine(strings.TrimSpace(string(text))))
		default:
		}
		return strings.Contains(string(text), "are ready")
	})
	return g
}

func (g *grid) data(n int) string   { return filepath.Join(g.folder, "n"+strconv.Itoa(n)) }
func (g *grid) socket(n int) string { return filepath.Join(g.data(n), "api.sock") }

// signal sends a signal to a daemon.
func (g *grid) signal(n int, s syscall.Signal) {
	var ids []int
	g.until(5*time.Second, "one process", func() bool { // one that it starts looks like it at first
		ids = processes("agent --data " + g.data(n))
		return len(ids) == 1
	})
	g.demand(syscall.Kill(ids[0], s) == nil, "daemon n%d cannot get %v", n, s)
	if s == syscall.SIGKILL {
		g.until(10*time.Second, "dead", func() bool { return len(processes("agent --data "+g.data(n))) == 0 })
	}
}

// start starts a daemon again, and once more when its life is over, as dev does with its daemons.
func (g *grid) start(n int) {
	agent, err := g.agent(n)
	g.demand(err == nil, "%v", err)
	go func() {
		for agent != nil {
			_ = agent.Wait()
			code := agent.ProcessState.ExitCode()
			g.mu.Lock()
			g.codes[agent] = code
			g.mu.Unlock()
			if code != exitFenced {
				return
			}
			agent, _ = g.agent(n)
		}
	}()
}

// exitFenced is how a daemon ends that can begin another life at once.
const exitFenced = 3

// agent starts a daemon, unless the grid has ended: there is none then.
func (g *grid) agent(n int) (*exec.Cmd, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return nil, nil
	}
	log, err := os.OpenFile(filepath.Join(g.data(n), "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	agent := exec.Command(g.binary, "node", "agent", "--data", g.data(n))
	agent.Stdout, agent.Stderr = log, log
	if err := agent.Start(); err != nil {
		return nil, err
	}
	g.agents = append(g.agents, agent)
	return agent, nil
}

// end ends the daemons of a grid.
func (g *grid) end() {
	g.mu.Lock()
	g.over = true
	g.mu.Unlock()
	for _, a := range g.agents {
		_ = a.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	_ = g.dev.Process.Signal(syscall.SIGINT)
	select {
	case <-g.ended:
	case <-time.After(20 * time.Second):
		_ = g.dev.Process.Kill()
	}
	for _, id := range processes(g.folder + "/") {
		_ = syscall.Kill(id, syscall.SIGKILL)
	}
}

func (t *trial) end() {
	for _, g := range t.grids {
		g.end()
	}
}
