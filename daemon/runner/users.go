package runner

import (
	"os"
	"path/filepath"
)

// Chown gives a folder, and all that is in it, to a user. Links are not followed. No task may run
// in it.
func Chown(folder string, user uint32) error {
	return filepath.WalkDir(folder, func(name string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(name, int(user), int(user))
	})
}

// Users of tasks are drawn from numbers that no distribution gives to people, services or
// containers. The range is so large that numbers do not repeat, so files of earlier tasks belong to
// no later task.
const (
	firstUser = 0x7000_0000
	lastUser  = 0x7FFD_FFFF
)

// NewUser draws the user of a task.
func NewUser(between func(low, high uint32) uint32) uint32 { return between(firstUser, lastUser) }
