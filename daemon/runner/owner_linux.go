package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
)

// owner is the process that uses the folder, as its lock file names it. The lock itself cannot show
// that the folder is a copy: it is on another file there.
type owner struct {
	Boot  string // the boot that the process number belongs to
	PID   int
	Start string // see procs.Process
}

// ownerEnd is how long a process may take to be gone after the kernel has freed its lock.
const ownerEnd = 2 * time.Second

// own notes in the lock file, which this process has locked, that it uses the folder. If the last
// process that did so is alive, the folder is a copy of that process's folder, and the files in it
// name tasks of that process.
func own(lock *os.File, boot string) error {
	self := owner{Boot: boot, PID: os.Getpid()}
	p, err := procs.Read(self.PID)
	if self.Start = p.Start; err != nil {
		return fmt.Errorf("look at this process in /proc: %w", err)
	}
	text, err := io.ReadAll(lock)
	if err != nil {
		return err
	}
	var last owner // an unreadable file was written before the first task of an incarnation
	if json.Unmarshal(text, &last) == nil && last.Boot == boot && last != self {
		if err := last.gone(); err != nil {
			return err
		}
	}
	if text, err = json.Marshal(self); err != nil {
		return err
	}
	if err := lock.Truncate(0); err != nil {
		return err
	}
	_, err = lock.WriteAt(text, 0)
	return err
}

// gone waits until the process has ended.
func (o *owner) gone() error {
	fd, err := procs.Open(o.PID, o.Start)
	if errors.Is(err, procs.ErrEnded) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if !procs.Ended(fd, ownerEnd) {
		return fmt.Errorf("%w, as process %d", ErrCopied, o.PID)
	}
	return nil
}
