package host

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/daemon/runner/veil"
)

// errRoot says that a daemon of root cannot run tasks.
var errRoot = errors.New("the daemon runs as root, and its tasks cannot have users of their own here")

// confine decides how far tasks are kept from the daemon, and whether it takes any.
func (m *Machine) confine() error {
	isRoot := os.Geteuid() == 0
	m.exposed = m.runner.Exposed()
	m.isTask = runner.InTask
	if m.runner.Veil() == veil.Mounts { // no task sees the socket, and to look at each client takes time
		m.isTask = func(int) bool { return false }
	}
	m.refuses = m.config.Refusal(m.runner.Isolation(), m.runner.Veil(), m.exposed)
	switch {
	case isRoot && (m.config.AllowRoot || m.config.Dev):
		m.exposed = append(m.exposed, "tasks run as root, though without its capabilities: they can write its files")
	case isRoot:
		if err := m.separate(); err != nil {
			return fmt.Errorf("%w: %w; run it as another user, or allow tasks of root with --allow-root", errRoot, err)
		}
		m.separated = true
		m.private.Apart = true
		if err := m.private.Look(); err != nil {
			return err
		}
	}
	for _, sentence := range m.exposed {
		m.config.Log.Warn("exposed: " + sentence)
	}
	return nil
}

// Refusal is the reason why a daemon takes no tasks under this isolation, or empty.
func (p Policy) Refusal(isolation, hidden string, exposed []string) string {
	switch {
	case p.RequireIsolation && (hidden == veil.None || isolation != runner.PIDNamespace):
		return "tasks cannot be isolated as --require-isolation demands: " +
			strings.Join(append([]string{"their isolation is " + isolation}, exposed...), "; ")
	case hidden == veil.None && p.HasKey && !p.Dev && !p.AllowExposed:
		return "tasks could read the key of the grid's authority, which is in the folder of this daemon; " +
			"start it with --allow-exposed to take them"
	}
	return ""
}

// separate finds out whether each task can have a separate user: the path to a working folder that
// only root can enter is a mount, and the users must exist on this machine.
func (m *Machine) separate() error {
	if m.runner.Veil() != veil.Mounts {
		return errors.New("nothing can be mounted for a task")
	}
	parent, err := m.folder(disk.Work)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(parent, "try-")
	if err != nil {
		return err
	}
	return errors.Join(runner.Chown(dir, runner.NewUser(m.config.Between)), os.Remove(dir))
}
