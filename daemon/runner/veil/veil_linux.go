package veil

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

// Hide hides folders from the calling thread and its children. The folder except stays visible, if
// it is not empty. Names are absolute, and no part of them is a symbolic link. A folder that is not
// there needs no hiding.
func Hide(way string, folders []string, except string) error {
	switch way {
	case Mounts:
		return mountOver(folders, except)
	case Landlock:
		return restrict(folders, except)
	}
	return nil
}

// OwnMounts gives the thread a mount namespace with the /proc of its PID namespace.
func OwnMounts() error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("make a mount namespace: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_SLAVE, ""); err != nil {
		return fmt.Errorf("separate the mount namespace: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

// How the empty file systems are mounted. Anybody may pass through them.
const (
	coverFlags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	coverData  = "size=64k,nr_inodes=64,mode=0755"
	coverMode  = 0o755
)

// mountOver covers each folder by an empty file system, and puts the excepted one back into it.
func mountOver(folders []string, except string) error {
	for _, folder := range folders {
		if err := cover(folder, except); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("cover %s: %w", folder, err)
		}
	}
	return nil
}

func cover(folder, except string) error {
	kept := -1
	if isBelow(except, folder) {
		var err error
		if kept, err = unix.Open(except, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0); err != nil {
			return fmt.Errorf("open %s: %v", except, err) // that it is not there is a fault
		}
		defer unix.Close(kept)
	}
	if err := unix.Mount("tmpfs", folder, "tmpfs", coverFlags, coverData); err != nil {
		return err
	}
	if kept >= 0 {
		if err := putBack(kept, folder, except); err != nil {
			return fmt.Errorf("show %s: %v", except, err)
		}
	}
	return unix.Mount("", folder, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|coverFlags, "")
}

// putBack shows an open folder in the file system that covers another one, under its old name.
func putBack(kept int, folder, name string) error {
	path := folder
	for part := range strings.SplitSeq(strings.TrimPrefix(name, folder+"/"), "/") {
		path += "/" + part
		if err := unix.Mkdir(path, coverMode); err != nil {
			return err
		}
		if err := unix.Chmod(path, coverMode); err != nil { // under any umask
			return err
		}
	}
	return unix.Mount(fmt.Sprintf("/proc/self/fd/%d", kept), name, "", unix.MS_BIND|unix.MS_REC, "")
}

// isBelow reports whether a file is in a folder, or in one below it.
func isBelow(name, folder string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
