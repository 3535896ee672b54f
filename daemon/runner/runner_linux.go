package runner

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// probeLimit is how long the probe of an isolation may take.
const probeLimit = 5 * time.Second

// Runner starts tasks and ends them.
type Runner struct {
	config   Config
	log      *slog.Logger
	boot     string
	lock     *os.File
	most     uint64 // processes that a task may have
	memory   *memory
	deadline *shim.Deadline
	way      way

	// A shim dies with the thread that has started it (see attributes), so one thread starts all.
	starts  chan func()
	running sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	processes map[*Process]bool
}

// way is how the processes of a task are held together, and the files of the daemon hidden from
// them.
type way struct {
	isolation string
	user      bool   // with a user namespace
	veil      string // see package veil
	cgroup    string // in which the cgroups of tasks are made
}

// New ends what an earlier incarnation of the daemon has left, waits until it is gone, and returns
// a runner.
func New(c Config) (*Runner, error) {
	r := &Runner{
		config: c, log: c.Logger, starts: make(chan func()), processes: map[*Process]bool{},
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	folder, _ := cgroupFolder() // without one nothing is known of memory and processes
	r.memory, r.most = memoryOf(folder), processesIn(folder)
	err := absolute(&r.config.Binary, &r.config.Dir)
	if err == nil {
		err = r.open()
	}
	if err != nil {
		return nil, fmt.Errorf("prepare to run tasks in %s: %w", c.Dir, err)
	}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this function
		for start := range r.starts {
			start()
		}
	}()
	if err := r.choose(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// open takes the folder and ends leftovers.
func (r *Runner) open() (err error) {
	if err := os.MkdirAll(r.config.Dir, 0o700); err != nil {
		return err
	}
	if r.boot, err = bootID(); err != nil {
		return err
	}
	name := filepath.Join(r.config.Dir, "lock")
	if r.lock, err = os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return err
	}
	if err := unix.Flock(int(r.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		r.lock.Close()
		return fmt.Errorf("lock %s: another daemon uses this folder: %w", name, err)
	}
	if err := own(r.lock, r.boot); err != nil {
		r.lock.Close()
		return err
	}
	err = r.endLeftovers()
	if err == nil {
		r.deadline, err = shim.NewDeadline()
	}
	if err != nil {
		r.lock.Close()
	}
	return err
}

// ways are all ways, the best first.
func ways() (all []way) {
	for _, w := range []way{
		{isolation: PIDNamespace}, {isolation: PIDNamespace, user: true}, {isolation: Cgroup}, {isolation: Subreaper},
	} {
		for _, w.veil = range []string{veil.Mounts, veil.Landlock, veil.None} {
			if w.veil != veil.Mounts || w.isolation == PIDNamespace {
				all = append(all, w)
			}
		}
	}
	return all
}

// choose tries the ways, the best first, and keeps the first that works.
func (r *Runner) choose() error {
	if err := dumpable(true); err != nil { // until a way is known: see there
		return err
	}
	var failed []error
	for _, w := range ways() {
		if r.config.Isolation != "" && r.config.Isolation != w.isolation || r.config.Veil != "" && r.config.Veil != w.veil {
			continue
		}
		err := r.probe(&w)
		if err == nil {
			r.way = w
			r.log.Info("isolation of tasks", "isolation", w.isolation, "user-namespace", w.user, "files", w.veil)
			return dumpable(w.user)
		}
		failed = append(failed, fmt.Errorf("%s, %s: %w", w.isolation, w.veil, err))
	}
	return fmt.Errorf("no isolation of tasks works here; see whether \"CANVASS_TASK=probe %s shim\" ends with 2: %w",
		r.config.Binary, errors.Join(failed...))
}

// dumpable lets processes of the same user open the descriptors of this one by /proc, or forbids
// it: tasks must not. To make a user namespace it must be allowed, since the kernel gives the files
// of /proc to root otherwise. Tasks in a user namespace of their own have no access in any case.
func dumpable(may bool) error {
	value := uintptr(0)
	if may {
		value = 1
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, value, 0, 0, 0); err != nil {
		return fmt.Errorf("protect the descriptors of the daemon: %w", err)
	}
	return nil
}

// probe starts a shim that runs no command.
func (r *Runner) probe(w *way) (err error) {
	if w.isolation == Cgroup {
		if w.cgroup, err = ownCgroup(); err != nil {
			return err
		}
	}
	cmd, control, err := r.launch(*w, "probe")
	if err != nil {
		return err
	}
	defer cmd.Wait()
	defer control.Close()
	defer cmd.Process.Kill()
	if err := control.SetDeadline(time.Now().Add(probeLimit)); err != nil {
		return err
	}
	var answer Exit
	if err := shim.Send(control, r.order(*w, shim.Order{Probe: true})); err != nil {
		return err
	}
	if err := shim.Receive(control, &answer); err != nil {
		return fmt.Errorf("no answer from the shim: %w", err)
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	return nil
}

// order completes the order to a shim.
func (r *Runner) order(w way, o shim.Order) shim.Order {
	o.Isolation, o.Veil, o.Processes = w.isolation, w.veil, r.most
	if r.config.Hide != nil {
		o.Hide = resolved(r.config.Hide())
	}
	return o
}

// resolved returns folders by their real names, without folders that are within others or missing.
func resolved(folders []string) (all []string) {
	var found []string
	for _, folder := range folders {
		if path, err := realName(folder); err == nil {
			found = append(found, path)
		}
	}
	slices.Sort(found) // parents first
	for _, folder := range found {
		if !slices.ContainsFunc(all, func(top string) bool { return isWithin(folder, top) }) {
			all = append(all, folder)
		}
	}
	return all
}

// isWithin reports whether a folder is another one or in it.
func isWithin(folder, top string) bool {
	return strings.HasPrefix(folder+"/", strings.TrimSuffix(top, "/")+"/")
}

// realName is the absolute name of a file, without symbolic links.
func realName(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Try reports why no task could be started now: it starts a shim that runs no command.
func (r *Runner) Try() error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.running.Done()
	way := r.way
	return r.probe(&way)
}

// launch starts a shim. It waits for its order. The environment of the process names the task, for
// people and tools that look at processes; the command gets its own.
func (r *Runner) launch(w way, task string) (*exec.Cmd, *net.UnixConn, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make a socket for the shim: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "control"), os.NewFile(uintptr(pair[1]), "control")
	defer ours.Close()
	defer theirs.Close()
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, nil, fmt.Errorf("make a socket for the shim: %w", err)
	}
	cmd := exec.Command(r.config.Binary, shim.Argument)
	cmd.Env, cmd.Dir, cmd.Stderr = []string{shim.Variable + "=" + task}, "/", os.Stderr
	cmd.ExtraFiles = []*os.File{theirs, r.deadline.File}
	cmd.SysProcAttr = attributes(w)
	started := make(chan error)
	r.starts <- func() { started <- cmd.Start() }
	if err := <-started; err != nil {
		conn.Close()
		return nil, nil, fmt.Errorf("start the shim: %w", err)
	}
	return cmd, conn.(*net.UnixConn), nil
}

// attributes says how a shim is started.
func attributes(w way) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if w.isolation != PIDNamespace {
		return attr // if the kernel killed the shim with the daemon, the shim could not end its tree
	}
	attr.Pdeathsig = syscall.SIGKILL
	attr.Cloneflags = unix.CLONE_NEWPID
	if w.user {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings, attr.GidMappings = mapped(os.Geteuid()), mapped(os.Getegid())
		attr.GidMappingsEnableSetgroups = os.Geteuid() == 0 // others must not
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}    // to mount; the command does not get it
	}
	return attr
}

// mapped are the users, or the groups, that a user namespace has: that of the daemon, and those of
// tasks if it is root, which may lack the right to mount, as in a container.
func mapped(own int) []syscall.SysProcIDMap {
	all := []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
	if os.Geteuid() == 0 {
		all = append(all, syscall.SysProcIDMap{ContainerID: firstUser, HostID: firstUser, Size: lastUser - firstUser + 1})
	}
	return all
}

// Start starts a task. It returns when the shim has started. A command that cannot be started is no
// error of Start: Done reports it.
func (r *Runner) Start(t Task) (*Process, error) {
	if err := r.enter(); err != nil {
		return nil, fmt.Errorf("start task %s: %w", t.ID, err)
	}
	p, err := r.start(t)
	if err != nil {
		r.running.Done()
		return nil, fmt.Errorf("start task %s: %w", t.ID, err)
	}
	return p, nil
}

// absolute makes names of files independent of the working directory, since a shim has another one.
func absolute(names ...*string) error {
	for _, name := range names {
		if *name == "" {
			continue
		}
		path, err := filepath.Abs(*name)
		if err != nil {
			return err
		}
		*name = path
	}
	return nil
}

// enter counts a task before it starts, so that Close waits for it.
func (r *Runner) enter() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errors.New("the runner is closed")
	}
	r.running.Add(1)
	return nil
}

func (r *Runner) start(t Task) (*Process, error) {
	if t.Dir == "" {
		t.Dir = "."
	}
	if err := absolute(&t.Dir, &t.Stdin, &t.Stdout, &t.Stderr); err != nil {
		return nil, err
	}
	for _, name := range []*string{&t.Dir, &t.Shown} {
		if path, err := realName(*name); err == nil && *name != "" { // otherwise the shim reports the error
			*name = path
		}
	}
	p := &Process{runner: r, task: t, done: make(chan Exit, 1)}
	p.tree = tree{Boot: r.boot, Isolation: r.way.isolation}
	switch r.way.isolation {
	case Cgroup:
		folder, err := os.MkdirTemp(r.way.cgroup, "canvass-")
		if err != nil {
			return nil, fmt.Errorf("make a cgroup: %w", err)
		}
		p.tree.Cgroup = folder
		if err := shim.LimitCgroup(folder, r.most); err != nil {
			r.log.Warn("the number of processes of a task is not limited", "cgroup", folder, "error", err)
		}
	case Subreaper:
		var random [16]byte
		rand.Read(random[:]) // never fails
		p.tree.Mark = "CANVASS_TREE=" + hex.EncodeToString(random[:])
	}
	r.memory.struck() // not this task
	err := p.launch()
	for tries := 1; tries < launches && errors.Is(err, errShimGone); tries++ {
		err = p.launch()
	}
	if err != nil && p.tree.Cgroup != "" {
		os.Remove(p.tree.Cgroup)
	}
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.processes[p] = true
	closed := r.closed
	r.mu.Unlock()
	go p.run()
	if closed {
		p.Kill(false)
	}
	return p, nil
}

// forget is called when a task has ended.
func (r *Runner) forget(p *Process) {
	r.mu.Lock()
	delete(r.processes, p)
	r.mu.Unlock()
	r.running.Done()
}

// Extend moves the deadline of all tasks, in time since boot (CLOCK_BOOTTIME). Until the first call
// there is no deadline. A deadline never moves back: an earlier one is ignored.
func (r *Runner) Extend(deadline time.Duration) { r.deadline.Extend(deadline) }

// Isolation names which of the three ways is in force.
func (r *Runner) Isolation() string { return r.way.isolation }

// Veil names how the files of the daemon are hidden from tasks: see package veil.
func (r *Runner) Veil() string { return r.way.veil }

// closeLimit is how long tasks may take to be gone when their runner is closed.
const closeLimit = 5 * time.Second

// Close ends all tasks, waits until they are gone, and frees what the runner holds. Extend must not
// be called after it. If a task does not end in time, an error says so, and the process should end:
// the folder stays its own until then, and the next runner waits for the task or fails.
func (r *Runner) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	for p := range r.processes {
		p.Kill(false)
	}
	r.mu.Unlock()
	freed := make(chan error, 1)
	go func() {
		r.running.Wait()
		close(r.starts)
		freed <- errors.Join(r.deadline.Close(), r.lock.Close())
	}()
	select {
	case err := <-freed:
		return err
	case <-time.After(closeLimit):
		return fmt.Errorf("tasks have not ended %v after SIGKILL: ps shows their processes in state D", closeLimit)
	}
}
