package host

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/protocol"
)

// Config is a [Machine]'s view of its daemon.
type Config struct {
	Folder string // of the daemon
	Binary string // this program, which is also the shim of processes
	Log    *slog.Logger
	Policy

	Kept, Cache Contents

	Between func(low, high uint32) uint32     // draws a number
	Oldest  func(age time.Duration) time.Time // anything before it is older than the age
	Self    func() protocol.NodeID
	Running func() []string // attempts of which a process runs
	Post    func(f func()) bool
}

// Policy says which tasks a daemon takes.
type Policy struct {
	AllowRoot, AllowExposed, RequireIsolation bool // as the options of the node

	Dev    bool // the grid is one of canvass dev
	HasKey bool // the folder has the key of the grid's authority
}

// Contents are contents that a host removes.
type Contents interface {
	Sweep(wanted func(digest string) bool, before time.Time) (removed int, err error)
	Shrink(most int64) error
}

// Machine runs tasks on the real machine, in folders of the daemon.
type Machine struct {
	config Config
	runner *runner.Runner
	*Folders

	private *runner.Private
	looks   looks

	refuses   string             // why no task is taken here, ever; empty: they are
	exposed   []string           // resources within reach of tasks, in sentences
	separated bool               // each task has a separate user
	isTask    func(pid int) bool // whether a process belongs to a task
}

var _ Host = &Machine{}

// Open ends the remains of an earlier incarnation, and removes the working folders of its tasks.
func Open(c Config) (*Machine, error) {
	private := &runner.Private{Folder: c.Folder, Is: identity.IsFolder}
	if err := private.Look(); err != nil {
		c.Log.Warn("no task can run here", "error", err)
	}
	r, err := runner.New(runner.Config{
		Binary: c.Binary, Dir: filepath.Join(c.Folder, disk.Tasks), Logger: c.Log, Hide: private.Folders,
	})
	if errors.Is(err, runner.ErrCopied) {
		return nil, err
	}
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return nil, disk.Failed("ending the remains of an earlier incarnation in", filepath.Join(c.Folder, disk.Tasks), err)
	}
	if err != nil {
		return nil, fmt.Errorf("ending the remains of an earlier incarnation: %w", err)
	}
	m := &Machine{config: c, runner: r, private: private, looks: make(looks, looksLimit)}
	if err := m.confine(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	m.Folders = OpenFolders(c.Folder, c.Log)
	return m, nil
}

// Exposed lists the resources of this machine that tasks could reach, in sentences.
func (m *Machine) Exposed() []string { return m.exposed }

// IsTask reports whether a process belongs to a task.
func (m *Machine) IsTask(pid int) bool { return m.isTask(pid) }

// Look finds out whether a job can start here, and the files to hide from its task.
func (m *Machine) Look(s *jobs.Spec, done func(misfit string, err error)) {
	m.looks.do(lookPatience, func() (string, error) {
		return m.misfit(s), m.private.Look()
	}, func(misfit string, err error) {
		m.config.Post(func() { done(misfit, err) })
	})
}

// misfit says why a job cannot start on this machine, or nothing.
func (m *Machine) misfit(s *jobs.Spec) string {
	command := s.Command[0]
	if strings.Contains(command, "/") {
		if _, err := os.Stat(command); err != nil && filepath.IsAbs(command) {
			return fmt.Sprintf("there is no %s on host %v", command, m.config.Self())
		}
		return ""
	}
	if _, ok := shim.Find(command, shim.Path(s.Env)); ok {
		return ""
	}
	return fmt.Sprintf("there is no command %q on host %v", command, m.config.Self())
}

// Ports takes free ports for a task, and holds them until they are released.
func (m *Machine) Ports() (numbers []uint16, release func(), err error) {
	var held []net.Listener
	release = func() {
		for _, l := range held {
			_ = l.Close() // nothing was sent on it; it may be closed twice
		}
	}
	for range portsOfTask {
		l, err := net.Listen("tcp", ":0")
		if err != nil {
			release()
			return nil, func() {}, fmt.Errorf("no free port: %w", err)
		}
		held = append(held, l)
		numbers = append(numbers, uint16(l.Addr().(*net.TCPAddr).Port))
	}
	return numbers, release, nil
}

// Ails is the reason why no task could run here now, or empty.
func (m *Machine) Ails() string {
	if m.refuses != "" {
		return m.refuses
	}
	if err := disk.Low(m.config.Folder); err != nil {
		return err.Error()
	}
	return ""
}

// Try makes a working folder with a file in it, and starts a shim without a command.
func (m *Machine) Try(done func(error)) {
	go func() {
		err := m.try()
		m.config.Post(func() { done(err) })
	}()
}

func (m *Machine) try() error {
	for _, name := range []string{disk.Work, disk.Outputs} {
		parent, err := m.folder(name)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp(parent, "try-")
		if err != nil {
			return err
		}
		err = fileio.WritePrivate(filepath.Join(dir, PeersFile), make([]byte, tryBytes))
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return m.runner.Try()
}

// tryBytes is how much is written to see whether a folder can be written.
const tryBytes = 64 << 10

// Start starts the process of a task.
func (m *Machine) Start(t Task, ended func(runner.Exit)) (Process, error) {
	if _, err := m.folder(disk.Outputs); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(m.Of(t.Attempt)) // for the variables of the task
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	m.link(t.Attempt)
	peers := filepath.Join(dir, PeersFile)
	if err := fileio.WritePrivate(peers, []byte(t.Peers)); err != nil {
		return nil, err
	}
	t.Shown = filepath.Dir(dir)
	t.Dir, t.Stdout, t.Stderr = dir, OutputFile(m.config.Folder, t.Attempt, "stdout"),
		OutputFile(m.config.Folder, t.Attempt, "stderr")
	if t.Reads {
		t.Stdin = filepath.Join(dir, StdinFile)
	}
	own := []string{"PATH=" + shim.SearchPath, "HOME=" + dir, "CANVASS_WORKDIR=" + dir, "CANVASS_PEERS_FILE=" + peers}
	t.Env = append(own, t.Env...)
	if m.separated {
		t.User = runner.NewUser(m.config.Between)
		if err := runner.Chown(t.Shown, t.User); err != nil {
			return nil, err
		}
	}
	process, err := m.runner.Start(t.Task)
	if err != nil {
		return nil, err
	}
	go func() {
		exit := <-process.Done()
		m.config.Post(func() { ended(exit) })
	}()
	return process, nil
}

// Extend lets the processes run until a time.
func (m *Machine) Extend(deadline time.Duration) { m.runner.Extend(deadline) }

// Isolation names the mechanism that holds processes together.
func (m *Machine) Isolation() string { return m.runner.Isolation() }

// Close ends all processes.
func (m *Machine) Close() error {
	m.Folders.Close()
	return m.runner.Close()
}

// portsOfTask is how many free ports a task has.
const portsOfTask = 8

// folder is a folder of the daemon; created if missing.
func (m *Machine) folder(name string) (string, error) {
	path := filepath.Join(m.config.Folder, name)
	return path, os.MkdirAll(path, 0o700)
}
