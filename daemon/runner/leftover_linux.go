package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/runner/procs"
	"github.com/canvass-grid/canvass/daemon/runner/shim"
	"github.com/canvass-grid/canvass/internal/fileio"
)

const (
	shimEnd    = sweepLimit       // in which a shim that lost its daemon ends by itself
	goneLimit  = 10 * time.Second // in which what was killed must be gone
	lookAgain  = 5 * time.Millisecond
	emptySweep = 3 // number of sweeps in a row that must find nothing
)

// tree identifies a task's processes. It is on the disk while the task runs, so that the next
// incarnation can kill the processes that this one leaves behind.
type tree struct {
	Boot      string // the boot that the process number belongs to
	PID       int    // of the shim
	Start     string // of the shim, see procs.Process
	Isolation string
	Cgroup    string `json:",omitempty"`
	Mark      string `json:",omitempty"`
}

// bootID names this boot of the machine.
func bootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read the boot's name: %w", err)
	}
	return strings.TrimSpace(string(id)), nil
}

// save writes the tree under its name in a folder.
func (t *tree) save(dir string) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return fileio.WritePrivate(t.file(dir), text)
}

func (t *tree) file(dir string) string { return filepath.Join(dir, strconv.Itoa(t.PID)+treeSuffix) }

// treeSuffix ends the names of files that hold a tree.
const treeSuffix = ".task"

// end ends the tree without the help of its shim, and waits until it is gone.
func (t *tree) end(limit time.Duration) error {
	switch t.Isolation {
	case Cgroup:
		return t.endCgroup(limit)
	case Subreaper:
		return t.endMarked(limit)
	}
	return nil // the kernel ends a PID namespace before its init is gone
}

func (t *tree) endCgroup(limit time.Duration) error {
	for end := time.Now().Add(limit); !emptyCgroup(t.Cgroup); time.Sleep(lookAgain) {
		if time.Now().After(end) {
			return fmt.Errorf("processes in cgroup %s do not end", t.Cgroup)
		}
		shim.KillCgroup(t.Cgroup) // if it fails, the next round tries again
		killEach(t.Cgroup)
	}
	if err := removeCgroup(t.Cgroup); err != nil {
		return fmt.Errorf("remove the cgroup: %w", err)
	}
	return nil
}

func (t *tree) endMarked(limit time.Duration) error {
	return sweep(func() (killed []int, err error) {
		found, err := procs.Marked(t.Mark)
		for _, p := range found {
			p.Kill()
			killed = append(killed, p.PID)
		}
		return killed, err
	}, limit)
}

// sweep kills until a few looks in a row have found nothing. A single one does not prove that a
// tree has ended: a process that forks between two reads of /proc is in neither. Nor does a look
// that failed, for want of a descriptor for example.
func sweep(killAll func() ([]int, error), limit time.Duration) error {
	end := time.Now().Add(limit)
	for empty := 0; empty < emptySweep; time.Sleep(lookAgain) {
		killed, err := killAll()
		if empty++; len(killed) > 0 || err != nil {
			empty = 0
		}
		switch {
		case empty > 0 || time.Now().Before(end):
		case err != nil:
			return fmt.Errorf("look for its processes: %w", err)
		default:
			return fmt.Errorf("process %d and %d more do not end", killed[0], len(killed)-1)
		}
	}
	return nil
}

// endLeftovers ends all trees of earlier incarnations, and waits until they are gone.
func (r *Runner) endLeftovers() error {
	entries, err := os.ReadDir(r.config.Dir)
	if err != nil {
		return fmt.Errorf("look for remains of an earlier incarnation: %w", err)
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), treeSuffix) {
			continue
		}
		file := filepath.Join(r.config.Dir, entry.Name())
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read the records of an earlier incarnation: %w", err)
		}
		t := tree{}
		_ = json.Unmarshal(text, &t) // a file that was cut off is from before its task began, and names no boot
		if t.Boot == r.boot {
			if err := t.endLeft(); err != nil {
				return fmt.Errorf("end a task of an earlier incarnation (%s): %w; end it by hand and start again", file, err)
			}
			r.log.Warn("ended a task of an earlier incarnation", "shim", t.PID)
		}
		if err := os.Remove(file); err != nil {
			return fmt.Errorf("forget the records of an earlier incarnation: %w", err)
		}
	}
	return nil
}

// endLeft ends a tree of an earlier incarnation. Its shim gets some time to do so itself.
func (t *tree) endLeft() error {
	fd, err := procs.Open(t.PID, t.Start)
	if err != nil && !errors.Is(err, procs.ErrEnded) {
		return err
	}
	if err == nil {
		defer unix.Close(fd)
		unix.PidfdSendSignal(fd, unix.SIGCONT, nil, 0) // if it has ended, all the better
		if !procs.Ended(fd, shimEnd) {
			unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // the same
			if !procs.Ended(fd, goneLimit) {
				return fmt.Errorf("shim %d does not end", t.PID)
			}
		}
	}
	return t.end(goneLimit)
}
