package host

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// How long unneeded files are kept.
const (
	RetainAge  = 7 * 24 * time.Hour // of jobs that have ended, and of their output
	orphanAge  = time.Hour
	cacheLimit = 10 << 30 // bytes that a host keeps of inputs
)

// Room refuses a content for which the disk has no room.
func (m *Machine) Room(size int64) error { return disk.Room(m.config.Folder, size) }

// Tidy removes, in the background, old files and unwanted contents.
func (m *Machine) Tidy(wanted map[string]bool) {
	outputs := filepath.Join(m.config.Folder, disk.Outputs)
	orphaned, retained, fresh := m.config.Oldest(orphanAge), m.config.Oldest(RetainAge), m.config.Oldest(freshAge)
	open := m.config.Running()
	go func() {
		_, err := m.config.Kept.Sweep(func(digest string) bool { return wanted[digest] }, orphaned)
		err = errors.Join(err, m.config.Cache.Shrink(cacheLimit), removeOld(outputs, retained))
		if disk.Low(m.config.Folder) != nil {
			err = errors.Join(err, shrink(m.config.Folder, m.config.Cache, m.config.Log, func(info fs.FileInfo) bool {
				return isOf(open, info.Name()) || info.ModTime().After(fresh)
			}))
		}
		if err = errors.Join(err, disk.Reserve(m.config.Folder)); err != nil {
			m.config.Log.Warn("unneeded files were not removed", "error", err)
		}
	}()
}

// freshAge is how long the output of a task is kept after its last line, however full the disk is:
// a user that waits for the end of the job reads it then.
const freshAge = 10 * time.Minute

// isOf reports whether a file has the output of one of these attempts.
func isOf(attempts []string, name string) bool {
	return slices.ContainsFunc(attempts, func(attempt string) bool { return strings.HasPrefix(name, attempt+".") })
}

// shrink frees space on a disk that is low: copies of inputs, then what tasks have printed, the
// oldest first.
func shrink(folder string, cache Contents, log *slog.Logger, kept func(fs.FileInfo) bool) error {
	err := cache.Shrink(0)
	removed, failed := disk.ShrinkOutputs(folder, kept)
	if removed > 0 {
		log.Warn("the disk is low: the oldest outputs of tasks are removed", "files", removed)
	}
	return errors.Join(err, failed)
}

// MakeRoom frees space on a full disk before an incarnation begins: it could not make its first
// step durable. No task of an earlier incarnation runs any more.
func MakeRoom(folder string, cache Contents, log *slog.Logger) error {
	if !disk.Scarce(folder) {
		if err := disk.Reserve(folder); err != nil {
			log.Warn("no space is held for a full disk", "error", err)
		}
		return nil
	}
	if err := shrink(folder, cache, log, func(fs.FileInfo) bool { return !disk.Scarce(folder) }); err != nil {
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
