package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// Private finds the folders that no task of a daemon must see: that of the daemon, and those of
// other daemons of this machine that are beside it. To look may take long if a job has made many
// folders beside them; the result of the last look is available at once.
type Private struct {
	Folder string                   // of the daemon
	Is     func(folder string) bool // reports whether a folder is that of a daemon
	Apart  bool                     // tasks have users of their own

	last atomic.Pointer[[]string]
}

// mostPrivate bounds the folders that are hidden from a task. To hide each takes time at its start.
const mostPrivate = 1024

// readAtOnce is how many names of a folder are read at once.
const readAtOnce = 256

// Folders returns the folders that the last look found.
func (p *Private) Folders() []string { return *p.last.Load() }

// Look finds the folders again. It returns an error if there are too many to hide.
func (p *Private) Look() error {
	all := p.find()
	p.last.Store(&all)
	if len(all) > mostPrivate {
		return fmt.Errorf("more than %d folders of daemons are beside %s, and no task must see them; remove folders that "+
			"no daemon uses", mostPrivate-1, p.Folder)
	}
	return nil
}

func (p *Private) find() []string {
	all := []string{p.Folder}
	own, err := filepath.EvalSymlinks(p.Folder)
	if err == nil {
		own, err = filepath.Abs(own)
	}
	if err != nil {
		return all
	}
	if closed := closedAbove(own); p.Apart && closed != "" {
		all = append(all, closed)
	}
	beside, err := os.Open(filepath.Dir(own))
	if err != nil {
		return all // no task can list them either
	}
	defer beside.Close()
	for len(all) <= mostPrivate {
		some, err := beside.ReadDir(readAtOnce)
		for _, entry := range some {
			if name := filepath.Join(beside.Name(), entry.Name()); entry.IsDir() && p.Is(name) {
				all = append(all, name)
			}
		}
		if err != nil || len(some) == 0 {
			break
		}
	}
	return all
}

// closedAbove is the topmost folder on the way to a folder that other users cannot pass. A task of
// another user loses nothing when all of it is hidden, and has a way to its working folder then.
func closedAbove(folder string) string {
	if parent := filepath.Dir(folder); parent != folder {
		if closed := closedAbove(parent); closed != "" {
			return closed
		}
	}
	if about, err := os.Stat(folder); err != nil || about.Mode().Perm()&0o001 == 0 {
		return folder
	}
	return ""
}
