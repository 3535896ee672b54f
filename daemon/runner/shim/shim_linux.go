package shim

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

const (
	sweepEvery = 10 * time.Millisecond // between two attempts to end what is left of a tree
	drainLimit = time.Second           // for output, once no process is left that could write any
)

// serve runs the shim. It returns the exit code of the process.
func serve() int {
	if !is(controlDescriptor, unix.S_IFSOCK) || !is(deadlineDescriptor, unix.S_IFREG) {
		fmt.Fprintln(os.Stderr, "canvass: a shim is started by the daemon, for each task; it does nothing by itself")
		return 2
	}
	// Its task, of the same user, must not open its descriptors and folders by /proc.
	closed := prctl("close it", unix.PR_SET_DUMPABLE, 0)
	if errors.Join(closed, unix.SetNonblock(controlDescriptor, true)) != nil {
		return 1
	}
	s := &shim{
		control: os.NewFile(controlDescriptor, "control"), events: make(chan event, 8), gone: make(chan struct{}),
	}
	if Receive(s.control, &s.order) != nil {
		return 1 // the daemon has ended before it said what to do
	}
	s.run()
	Send(s.control, s.exit) // if the daemon has ended, the report is not needed
	return 0
}

// is reports whether a descriptor is of such a file. The runtime may have opened others.
func is(fd int, kind uint32) bool {
	var stat unix.Stat_t
	return unix.Fstat(fd, &stat) == nil && stat.Mode&unix.S_IFMT == kind
}

// event is something that a shim reacts to.
type event uint8

const (
	commandEnded event = iota + 1
	askedGently
	graceOver
	askedNow // by the daemon, by its end, by the deadline, or by a signal
)

// shim runs one task.
type shim struct {
	order   Order
	control *os.File
	exit    Exit

	pid     int                // of the command
	reaping sync.Mutex         // while a process is reaped, or the command is signalled
	reaped  bool               // the command was
	status  syscall.WaitStatus // after commandEnded
	events  chan event
	gone    chan struct{} // closed when no process of the task is left
	outputs []*output
	copies  sync.WaitGroup
}

func (s *shim) run() {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if err := onOwnThread(s.begin); err != nil {
		s.exit = notStarted(err)
		return
	}
	if s.order.Probe {
		return
	}
	go s.reap()
	go s.listen()
	go s.watchDeadline()
	go func() {
		<-signals
		s.events <- askedNow
	}()
	s.loop()
	if s.order.Cgroup != "" {
		os.Remove(s.order.Cgroup) // if it fails, the daemon or its next incarnation does it
	}
	s.drain()
}

// onOwnThread calls a function on a thread that does nothing else. The command inherits the
// settings that confine and Hide make for that thread, and the rest of the shim is not affected.
// The thread stays, since the kernel may kill the command when the thread that started it ends.
func onOwnThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- f()
		select {}
	}()
	return <-done
}

// begin starts the command, confined. A probe does all that could fail before.
func (s *shim) begin() error {
	if err := confine(s.order); err != nil {
		return err
	}
	if s.order.Probe {
		return veil.Hide(s.order.Veil, s.order.Hide, "")
	}
	return s.start()
}

// notStarted is the end of a task whose command was not started. That is the command's fault, or
// else the task is lost.
func notStarted(err error) Exit {
	exit := lost(err)
	if exit.Lost = !errors.As(err, new(commandError)); !exit.Lost && errors.Is(err, fs.ErrNotExist) {
		exit.Code = codeNotFound
	}
	return exit
}

// start opens the files and starts the command.
func (s *shim) start() error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	files := []uintptr{null.Fd(), null.Fd(), null.Fd()}
	if name := s.order.Task.Stdin; name != "" {
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		files[0] = in.Fd()
	}
	var writers []*os.File
	defer func() {
		for _, w := range writers {
			w.Close()
		}
	}()
	for i, path := range []string{s.order.Task.Stdout, s.order.Task.Stderr} {
		if path == "" {
			continue
		}
		if i == 1 && path == s.order.Task.Stdout {
			files[2] = files[1]
			continue
		}
		o, err := openOutput(path, s.order.Task.OutputLimit)
		if err != nil {
			return err
		}
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		s.outputs, writers, files[i+1] = append(s.outputs, o), append(writers, w), w.Fd()
		s.copies.Go(func() { o.copyFrom(r) })
	}
	s.pid, err = startCommand(s.order, files)
	return err
}

// reap waits for all children, orphans included, until there are none. Then no process of the tree
// is left, since each has an ancestor among the children.
func (s *shim) reap() {
	for {
		var status syscall.WaitStatus
		err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT|unix.WALL, nil)
		s.reaping.Lock() // no signal goes to the command between its end here and the reuse of its number
		pid := 0
		if err == nil {
			pid, err = syscall.Wait4(-1, &status, unix.WALL|unix.WNOHANG, nil)
		}
		s.reaped = s.reaped || err == nil && pid == s.pid
		s.reaping.Unlock()
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			close(s.gone)
			return
		case pid == s.pid:
			s.status = status
			s.events <- commandEnded
		}
	}
}

// signalCommand asks the command and its group to end, unless the command has ended: its number may
// be that of another group by then.
func (s *shim) signalCommand() {
	s.reaping.Lock()
	defer s.reaping.Unlock()
	if !s.reaped {
		unix.Kill(-s.pid, cmp.Or(syscall.Signal(s.order.Task.Signal), unix.SIGTERM))
	}
}

// listen passes on the orders of the daemon. The end of the daemon is the end of the socket.
func (s *shim) listen() {
	for {
		var b [1]byte
		if _, err := io.ReadFull(s.control, b[:]); err != nil || b[0] == KillNow {
			s.events <- askedNow
			return
		}
		if b[0] == KillGently {
			s.events <- askedGently
		}
	}
}

// watchDeadline ends the tree at the deadline. Without a clock there is no deadline to keep.
func (s *shim) watchDeadline() {
	d, err := mapDeadline(os.NewFile(deadlineDescriptor, "deadline"), unix.PROT_READ)
	if err == nil {
		err = d.wait()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "canvass: shim:", err)
	}
	s.events <- askedNow
}

// loop waits until the command or its time is over, then ends all that is left of the tree.
func (s *shim) loop() {
	var sweep <-chan time.Time // nil until the command or its time is over
	for {
		select {
		case <-s.gone:
			s.setExit()
			return
		case <-sweep:
			s.killTree()
			continue
		case e := <-s.events:
			s.exit.Killed = s.exit.Killed || e != commandEnded && sweep == nil
			if e == askedGently {
				s.signalCommand()
				time.AfterFunc(s.order.Task.Grace, func() { s.events <- graceOver })
				continue
			}
		}
		if sweep == nil {
			s.killTree()
			sweep = time.Tick(sweepEvery)
		}
	}
}

func (s *shim) setExit() {
	if s.status.Signaled() {
		s.exit.Signal = int(s.status.Signal())
		s.exit.Code = 128 + s.exit.Signal
		return
	}
	s.exit.Code = s.status.ExitStatus()
}

// killTree kills all processes of the task that there are now.
func (s *shim) killTree() {
	switch s.order.Isolation {
	case PIDNamespace:
		unix.Kill(-1, unix.SIGKILL)
	case Cgroup:
		KillCgroup(s.order.Cgroup)
	}
	if s.order.Isolation != PIDNamespace {
		for _, p := range procs.Descendants(os.Getpid()) {
			p.Kill()
		}
	}
}

// drain waits for the last output and completes the files. A descriptor that a process has passed
// out of the tree could keep a pipe open.
func (s *shim) drain() {
	drained := make(chan struct{})
	go func() {
		s.copies.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-time.After(drainLimit):
	}
	for _, o := range s.outputs {
		dropped, err := o.finish()
		s.exit.Dropped += dropped
		if err != nil && !s.exit.Lost {
			s.exit.Lost, s.exit.Error = true, fmt.Sprintf("keep its output: %v", err)
		}
	}
}
