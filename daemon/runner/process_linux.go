package runner

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
)

const (
	// stallLimit is how long a shim may take to end its tree before it is killed itself. With a PID
	// namespace or a cgroup its tree ends with certainty then.
	stallLimit = 300 * time.Millisecond

	// sweepLimit is the same for a shim that sweeps: the daemon would find less than it does.
	sweepLimit = 1500 * time.Millisecond

	// orderLimit is how long a shim may take to read its order. The bytes fit into the socket.
	orderLimit = 5 * time.Second

	// finishLimit is how long a shim may take to complete the output after its tree is gone.
	finishLimit = 30 * time.Second
)

// Process is a task that was started.
type Process struct {
	runner  *Runner
	task    Task
	tree    tree
	cmd     *exec.Cmd
	control *net.UnixConn
	done    chan Exit
	gone    atomic.Bool // the tree

	mu       sync.Mutex
	reported bool // the shim has reported the end
	killed   bool // Kill was called before
	force    *time.Timer
}

// launch starts the shim, writes to the disk what it is, and gives it its order. The shim does
// nothing before it gets that.
func (p *Process) launch() (err error) {
	if p.cmd, p.control, err = p.runner.launch(p.runner.way, p.task.ID); err != nil {
		return err
	}
	p.tree.PID = p.cmd.Process.Pid
	found, err := procs.Read(p.tree.PID)
	if p.tree.Start = found.Start; err != nil {
		err = fmt.Errorf("look at the shim: %w", err)
	} else if err = p.tree.save(p.runner.config.Dir); err != nil {
		err = fmt.Errorf("save what a later life must find: %w", err)
	} else if err = p.order(); errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
		err = fmt.Errorf("%w before it had its task: %w", errShimGone, err)
	} else if err != nil {
		err = fmt.Errorf("pass the task to its shim: %w", err)
	}
	if err != nil {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		p.control.Close()
		os.Remove(p.tree.file(p.runner.config.Dir))
	}
	return err
}

// errShimGone says that a shim has ended and run nothing: another one may be started.
var errShimGone = errors.New("the shim has ended")

// launches is how many shims are started for a task, if each is killed before it has its task.
const launches = 3

// order passes the task to the shim.
func (p *Process) order() error {
	if err := p.control.SetWriteDeadline(time.Now().Add(orderLimit)); err != nil {
		return err
	}
	return shim.Send(p.control, p.runner.order(p.runner.way, shim.Order{
		Task: p.task, Cgroup: p.tree.Cgroup, Mark: p.tree.Mark,
	}))
}

// run waits for the end of the task.
func (p *Process) run() {
	var exit Exit
	err := shim.Receive(p.control, &exit)
	p.mu.Lock()
	p.reported = true
	asked := p.killed
	if p.force != nil {
		p.force.Stop()
	}
	p.force = time.AfterFunc(finishLimit, p.killShim)
	p.mu.Unlock()
	if err != nil {
		p.killShim()
	} else {
		p.gone.Store(true)
	}
	p.control.Close()
	p.cmd.Wait() // its error says how the shim ended, which matters only if it has not reported
	p.force.Stop()
	if err != nil {
		exit = p.shimLost(err)
		p.endTree()
	} else if p.tree.Cgroup != "" {
		p.endTree() // the cgroup may still be there
	}
	if exit.Killed && !asked && !exit.Lost {
		exit.Lost, exit.Error = true, "its shim has ended it, at a signal from outside or at the deadline of its daemon"
		if err != nil {
			exit.Error = fmt.Sprintf("its shim, which holds its processes together, has ended (%v)", p.cmd.ProcessState)
		}
	}
	p.runner.memory.blame(&exit, err != nil)
	p.forget()
	p.done <- exit
	close(p.done)
	p.runner.forget(p)
}

// shimLost says how a task has ended whose shim did not report it.
func (p *Process) shimLost(err error) Exit {
	exit := Exit{Code: 1, Killed: true}
	status := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		exit.Signal = int(status.Signal())
		exit.Code = 128 + exit.Signal
	}
	p.runner.log.Warn("a shim ended without a report",
		"task", p.task.ID, "status", p.cmd.ProcessState.String(), "error", err)
	return exit
}

// endTree ends what is left of the tree if the shim could not, and completes the output.
func (p *Process) endTree() {
	for {
		err := p.tree.end(goneLimit)
		if err == nil {
			break
		}
		// There is no limit: as long as the tree lives, the task has not ended.
		p.runner.log.Error("a task does not end", "task", p.task.ID, "error", err)
	}
	p.gone.Store(true)
	for _, path := range []string{p.task.Stdout, p.task.Stderr} {
		if path == "" {
			continue
		}
		if _, err := shim.FinishOutput(path, p.task.OutputLimit, -1); err != nil && !errors.Is(err, os.ErrNotExist) {
			p.runner.log.Warn("complete the output of a task", "task", p.task.ID, "file", path, "error", err)
		}
	}
}

// forget removes what a later incarnation would look for.
func (p *Process) forget() {
	if err := os.Remove(p.tree.file(p.runner.config.Dir)); err != nil {
		p.runner.log.Warn("forget a task that has ended", "task", p.task.ID, "error", err)
	}
}

// Kill ends the task. With grace, its process group gets the task's signal first, and the rest
// SIGKILL after the task's Grace. Without grace all get SIGKILL now. Kill does not wait: see Done.
// It may be called again, and after the end.
func (p *Process) Kill(grace bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reported || grace && p.killed {
		return
	}
	p.killed = true
	order, wait := byte(shim.KillNow), stallLimit
	if p.tree.Isolation == Subreaper {
		wait = sweepLimit
	}
	if grace {
		order, wait = shim.KillGently, wait+p.task.Grace
	}
	if p.force != nil {
		p.force.Stop()
	}
	p.force = time.AfterFunc(wait, p.killShim)
	p.cmd.Process.Signal(syscall.SIGCONT) // a shim that was stopped ends its tree better than force does
	p.control.SetWriteDeadline(time.Now().Add(orderLimit))
	p.control.Write([]byte{order}) // if it fails, the shim is gone or is killed by force
}

// Done fires once, when all processes of the task have ended.
func (p *Process) Done() <-chan Exit { return p.done }

// Gone reports whether all processes of the task have ended. Its output may not be complete yet.
func (p *Process) Gone() bool { return p.gone.Load() }

// killShim kills the shim. Its tree ends with it, or run ends it.
func (p *Process) killShim() { p.cmd.Process.Kill() }
