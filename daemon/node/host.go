package node

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
	"github.com/canvass-grid/canvass/daemon/trash"
	"github.com/canvass-grid/canvass/internal/wholefile"
)

const (
	portsOfTask = 8
	peersFile   = ".canvass-peers"
	lastLines   = 1 << 10 // bytes of the error stream that a record has of a task that failed
)

// hosting runs tasks on the real machine, in folders of the daemon.
type hosting struct {
	*Node
	runner   *runner.Runner
	watchdog *watchdog
	gone     *trash.Bin // for working folders; nil: there can be none
	private  *runner.Private
	looks    looks
	refuses  string // why no task is taken here, ever; empty: they are
}

var _ Host = hosting{}

// openHost ends what a former life has left, and takes the working folders of its tasks away.
func (n *Node) openHost() error {
	private := &runner.Private{Folder: n.options.Folder, Is: identity.IsFolder}
	if err := private.Look(); err != nil {
		n.log.Warn("no task can run here", "error", err)
	}
	r, err := runner.New(runner.Config{
		Binary: n.options.Binary, Dir: filepath.Join(n.options.Folder, disk.Tasks), Logger: n.log, Hide: private.Folders,
	})
	if errors.Is(err, runner.ErrCopied) {
		return fmt.Errorf("%w: %w; %s", ErrIdentity, err, justCopied)
	}
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return disk.Failed("ending what a former life has left in", filepath.Join(n.options.Folder, disk.Tasks), err)
	}
	if err != nil {
		return fmt.Errorf("ending what a former life has left: %w", err)
	}
	h := hosting{Node: n, runner: r, watchdog: n.watchdog, private: private, looks: make(looks, looksLimit)}
	if err := h.confine(); err != nil {
		return errors.Join(err, r.Close())
	}
	h.gone = n.openWork()
	n.host = h
	return nil
}

// justCopied is the remedy for a copy of the folder of a daemon that runs.
const justCopied = "remove the copy, and join anew for a second node, with canvass join"

// Look finds out whether a job can start here, and what its task must not see.
func (h hosting) Look(s *jobs.Spec, done func(misfit string, err error)) {
	h.looks.do(lookPatience, func() (string, error) {
		return h.misfit(s), h.private.Look()
	}, func(misfit string, err error) {
		h.post(func() { done(misfit, err) })
	})
}

// misfit says why a job cannot start on this machine, or nothing.
func (h hosting) misfit(s *jobs.Spec) string {
	command := s.Command[0]
	if strings.Contains(command, "/") {
		if _, err := os.Stat(command); err != nil && filepath.IsAbs(command) {
			return fmt.Sprintf("there is no %s on host %v", command, h.self)
		}
		return ""
	}
	if _, ok := shim.Find(command, shim.Path(s.Env)); ok {
		return ""
	}
	return fmt.Sprintf("there is no command %q on host %v", command, h.self)
}

// Ports takes free ports for a task. Nobody else takes them until they are released.
func (h hosting) Ports() (numbers []uint16, release func(), err error) {
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

// Ails says why no task could run here now, or nothing.
func (h hosting) Ails() string {
	if h.refuses != "" {
		return h.refuses
	}
	if err := disk.Low(h.options.Folder); err != nil {
		return err.Error()
	}
	return ""
}

// Try makes a working folder with a file in it, and starts a shim without a command.
func (h hosting) Try(done func(error)) {
	go func() {
		err := h.try()
		h.post(func() { done(err) })
	}()
}

func (h hosting) try() error {
	for _, name := range []string{disk.Work, disk.Outputs} {
		parent, err := h.folder(name)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp(parent, "try-")
		if err != nil {
			return err
		}
		err = wholefile.Private(filepath.Join(dir, peersFile), make([]byte, tryBytes))
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return h.runner.Try()
}

// tryBytes is how much is written to see whether a folder can be written.
const tryBytes = 64 << 10

// Start starts the process of a task.
func (h hosting) Start(t Task, ended func(runner.Exit)) (Process, error) {
	if _, err := h.folder(disk.Outputs); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(h.workFolder(t.Attempt)) // for the variables of the task
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	h.link(t.Attempt)
	peers := filepath.Join(dir, peersFile)
	if err := wholefile.Private(peers, []byte(t.Peers)); err != nil {
		return nil, err
	}
	t.Shown = filepath.Dir(dir)
	t.Dir, t.Stdout, t.Stderr = dir, h.outputFile(t.Attempt, "stdout"), h.outputFile(t.Attempt, "stderr")
	if t.Reads {
		t.Stdin = filepath.Join(dir, stdinFile)
	}
	own := []string{"PATH=" + shim.SearchPath, "HOME=" + dir, "CANVASS_WORKDIR=" + dir, "CANVASS_PEERS_FILE=" + peers}
	t.Env = append(own, t.Env...)
	if h.separated {
		t.User = runner.NewUser(between)
		if err := runner.Chown(t.Shown, t.User); err != nil {
			return nil, err
		}
	}
	process, err := h.runner.Start(t.Task)
	if err != nil {
		return nil, err
	}
	go func() {
		exit := <-process.Done()
		h.post(func() { ended(exit) })
	}()
	return process, nil
}

// outputFile is where a stream of a task of this node is kept.
func (n *Node) outputFile(attempt, stream string) string {
	return filepath.Join(n.options.Folder, disk.Outputs, attempt+"."+stream)
}

// Extend lets the processes run until a time, and the life.
func (h hosting) Extend(deadline time.Duration) {
	h.runner.Extend(deadline)
	h.watchdog.extend(deadline)
}

// Isolation says how processes are held together.
func (h hosting) Isolation() string { return h.runner.Isolation() }

// Close ends all processes.
func (h hosting) Close() error {
	if h.gone != nil {
		h.gone.Close()
	}
	return h.runner.Close()
}

// LastLines are the last lines of the error stream of a task.
func (h hosting) LastLines(attempt string) string {
	f, info, err := openOutput(h.outputFile(attempt, "stderr"))
	if err != nil {
		return ""
	}
	out, err := pieceFrom(f, max(0, info.Size()-lastLines), lastLines)
	if err != nil {
		return ""
	}
	text := strings.ToValidUTF8(string(out.Data), "?")
	if _, rest, several := strings.Cut(text, "\n"); several && info.Size() > lastLines {
		text = rest
	}
	return strings.TrimRight(text, "\n")
}

// Clear takes the working folder of an attempt away. It is removed beside the goroutine of the
// node: a job may have left so much that this takes longer than a lease.
func (h hosting) Clear(attempt string) {
	if h.gone == nil {
		return // the start has said why
	}
	for _, name := range []string{h.inWork(attempt), filepath.Dir(h.workFolder(attempt))} {
		if err := h.gone.Drop(name); err != nil {
			h.workStays(name, err)
		}
	}
}

// openWork takes away what former lives have left of working folders. Whatever a job has done to
// them, the daemon starts.
func (n *Node) openWork() *trash.Bin {
	work := n.inWork()
	if info, err := os.Stat(work); err == nil && !info.IsDir() {
		_ = os.Remove(work) // if that fails, the next step does
	}
	_ = os.Chmod(work, 0o700)
	bin, err := trash.Open(n.inWork(goneFolder), n.workStays)
	if err != nil {
		n.workStays(work, err)
		return nil
	}
	all, err := os.ReadDir(work)
	if err != nil {
		n.workStays(work, err)
	}
	for _, one := range all {
		if one.Name() == goneFolder {
			continue
		}
		if err := bin.Drop(n.inWork(one.Name())); err != nil {
			n.workStays(n.inWork(one.Name()), err)
		}
	}
	return bin
}

// goneFolder is where working folders go that are removed, and ownFolders where they are. No
// attempt is called so.
const (
	goneFolder = ".gone"
	ownFolders = ".own"
)

// workStays says that a working folder is not removed.
func (n *Node) workStays(folder string, err error) {
	n.log.Warn("a working folder stays; remove it by hand", "folder", folder, "error", err)
}

// inWork is a file in the folder of working folders.
func (n *Node) inWork(names ...string) string {
	return filepath.Join(append([]string{n.options.Folder, disk.Work}, names...)...)
}

// workFolder is the working folder of an attempt. It is alone in a folder that its task sees, too:
// a task may remove it, which it could not do with a folder that is mounted for it.
func (n *Node) workFolder(attempt string) string { return n.inWork(ownFolders, attempt, attempt) }

// link leads people to the working folder of an attempt.
func (n *Node) link(attempt string) {
	err := os.Symlink(filepath.Join(ownFolders, attempt, attempt), n.inWork(attempt))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		n.log.Warn("no link leads to a working folder", "folder", n.workFolder(attempt), "error", err)
	}
}

// Forget removes the output of an attempt.
func (h hosting) Forget(attempt string) error {
	for _, stream := range []string{"stdout", "stderr"} {
		if err := os.Remove(h.outputFile(attempt, stream)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Tidy removes, in the background, what is old, and contents that are not wanted.
func (h hosting) Tidy(wanted map[string]bool) {
	outputs := filepath.Join(h.options.Folder, disk.Outputs)
	orphaned, retained, fresh := h.oldest(orphanAge), h.oldest(retainAge), h.oldest(freshAge)
	open := h.openOutputs()
	go func() {
		_, err := h.kept.Sweep(func(digest string) bool { return wanted[digest] }, orphaned)
		err = errors.Join(err, h.cache.Shrink(cacheLimit), removeOld(outputs, retained))
		if disk.Low(h.options.Folder) != nil {
			err = errors.Join(err, h.shrink(func(info fs.FileInfo) bool {
				return isOf(open, info.Name()) || info.ModTime().After(fresh)
			}))
		}
		if err = errors.Join(err, disk.Reserve(h.options.Folder)); err != nil {
			h.log.Warn("what nobody needs stays", "error", err)
		}
	}()
}

// freshAge is how long after its last line what a task has printed is kept, however full the disk
// is: a user that waits for the end of the job reads it then.
const freshAge = 10 * time.Minute

// openOutputs are the attempts of which a process runs here.
func (n *Node) openOutputs() (open []string) {
	for _, a := range n.attempts {
		if a.proc != nil && !a.exited {
			open = append(open, a.String())
		}
	}
	return open
}

// isOf reports whether a file has the output of one of these attempts.
func isOf(attempts []string, name string) bool {
	return slices.ContainsFunc(attempts, func(attempt string) bool { return strings.HasPrefix(name, attempt+".") })
}

// shrink frees space on a disk that is low: copies of inputs, then what tasks have printed, the
// oldest first.
func (n *Node) shrink(kept func(fs.FileInfo) bool) error {
	err := n.cache.Shrink(0)
	removed, failed := disk.ShrinkOutputs(n.options.Folder, kept)
	if removed > 0 {
		n.log.Warn("the disk is low: the oldest outputs of tasks are removed", "files", removed)
	}
	return errors.Join(err, failed)
}

// makeRoom frees space before the life begins on a disk that is full: it could not make its first
// step durable. No task of a former life runs any more.
func (n *Node) makeRoom() error {
	folder := n.options.Folder
	if !disk.Scarce(folder) {
		if err := disk.Reserve(folder); err != nil {
			n.log.Warn("no space is held for a full disk", "error", err)
		}
		return nil
	}
	if err := n.shrink(func(fs.FileInfo) bool { return !disk.Scarce(folder) }); err != nil {
		return disk.Failed("freeing space in", folder, err)
	}
	return nil
}

// removeOld removes the files of a folder that were last written before a time.
func removeOld(folder string, before time.Time) error {
	all, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range all {
		if info, failed := file.Info(); failed == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.Remove(filepath.Join(folder, file.Name())))
		}
	}
	return err
}

// errRoot says that a daemon of root cannot run tasks.
var errRoot = errors.New("the daemon runs as root, and its tasks cannot have users of their own here")

// confine decides how far tasks are kept from the daemon, and whether it takes any.
func (h *hosting) confine() error {
	n, isRoot := h.Node, os.Geteuid() == 0
	n.exposed = h.runner.Exposed()
	n.isTask = runner.InTask
	if h.runner.Veil() == veil.Mounts { // no task sees the socket, and to look at each client takes time
		n.isTask = func(int) bool { return false }
	}
	h.refuses = n.refusal(h.runner.Isolation(), h.runner.Veil(), n.exposed)
	switch {
	case isRoot && (n.options.AllowRoot || n.config.Dev):
		n.exposed = append(n.exposed, "tasks run as root, though without its capabilities: they can write its files")
	case isRoot:
		if err := h.separate(); err != nil {
			return fmt.Errorf("%w: %w; run it as another user, or allow tasks of root with --allow-root", errRoot, err)
		}
		n.separated = true
		h.private.Apart = true
		if err := h.private.Look(); err != nil {
			return err
		}
	}
	for _, what := range n.exposed {
		n.log.Warn("exposed: " + what)
	}
	return nil
}

// refusal says why this daemon takes no tasks if they are kept apart in such a way, or nothing.
func (n *Node) refusal(isolation, hidden string, exposed []string) string {
	o := n.options
	switch {
	case o.RequireIsolation && (hidden == veil.None || isolation != runner.PIDNamespace):
		return "tasks cannot be isolated as --require-isolation demands: " +
			strings.Join(append([]string{"their isolation is " + isolation}, exposed...), "; ")
	case hidden == veil.None && n.authority != nil && !n.config.Dev && !o.AllowExposed:
		return "tasks could read the key of the grid's authority, which is in the folder of this daemon; " +
			"start it with --allow-exposed to take them"
	}
	return ""
}

// separate sees whether tasks can have users of their own: their way to a working folder that only
// root can enter is a mount, and this machine must know the users.
func (h *hosting) separate() error {
	if h.runner.Veil() != veil.Mounts {
		return errors.New("nothing can be mounted for a task")
	}
	parent, err := h.folder(disk.Work)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(parent, "try-")
	if err != nil {
		return err
	}
	return errors.Join(runner.Chown(dir, runner.NewUser(between)), os.Remove(dir))
}
