package config

import (
	"log/slog"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Options are the settings of one run of a daemon.
type Options struct {
	Folder string
	Binary string // this program, which is also the shim of processes
	Build  string // its version
	Log    *slog.Logger

	// AllowRoot runs tasks as root where the daemon does. Otherwise each task has a separate user.
	AllowRoot bool
	// AllowExposed takes tasks even if they could read the key of the grid's authority in the
	// folder.
	AllowExposed bool
	// RequireIsolation takes tasks only if each has a PID namespace and cannot see the folder.
	RequireIsolation bool

	// Hung is called when the incarnation is over and its goroutine hangs, so that Run cannot return.
	// It ends the process and does not return. Nil: no watchdog.
	Hung func(error)
}

// Settings come from the folder and the command line of a daemon. They do not change.
type Settings struct {
	Options Options
	Config  Config
	Cores   peer.Config
	ID      *identity.Identity
}

// Damaged is the error for a value that the store returns as it was written, but that is not valid.
func (s *Settings) Damaged(bucket string, key []byte, err error) error {
	return disk.Damaged(s.Options.Folder, bucket, key, err)
}

// Socket is where a daemon with this folder serves its users.
func Socket(folder string) string { return filepath.Join(folder, disk.Socket) }
