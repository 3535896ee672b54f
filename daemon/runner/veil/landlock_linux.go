package veil

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The access rights that Landlock controls. To allow the listing of a folder allows that of all
// folders below it, so listing is not controlled.
const (
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	allRights = fileRights | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

	truncateVersion = 3 // of the interface; before it anybody can cut a file off
	signalVersion   = 6
)

// restrict allows all but the folders. The library for Landlock restricts all threads of a process;
// here only the one may be that starts the command.
func restrict(folders []string, except string) error {
	version, err := landlockVersion()
	if err != nil {
		return fmt.Errorf("this kernel has no Landlock: %w", err)
	}
	if version < truncateVersion {
		return fmt.Errorf("the Landlock of this kernel is too old: version %d, want %d", version, truncateVersion)
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: allRights}
	if version >= signalVersion {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL
	}
	rules, err := createRuleset(&attr)
	if err != nil {
		return fmt.Errorf("make rules for Landlock: %w", err)
	}
	defer unix.Close(rules)
	allow(rules, "/", folders)
	if except != "" {
		if err := allowOne(rules, except); err != nil {
			return fmt.Errorf("allow %s: %w", except, err)
		}
	}
	if err := restrictSelf(rules); err != nil {
		return fmt.Errorf("restrict by Landlock: %w", err)
	}
	return nil
}

// allow allows all entries of a folder that are not hidden. It skips entries that cannot be
// allowed: other users' folders, files that have gone, and symbolic links, whose targets count.
func allow(rules int, folder string, hidden []string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
next:
	for _, entry := range entries {
		name := strings.TrimSuffix(folder, "/") + "/" + entry.Name()
		for _, h := range hidden {
			if h == name {
				continue next
			}
		}
		for _, h := range hidden {
			if isBelow(h, name) {
				allow(rules, name, hidden)
				continue next
			}
		}
		_ = allowOne(rules, name)
	}
}

// landlockVersion is the version of the kernel's interface.
func landlockVersion() (int, error) {
	return result(unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION))
}

// createRuleset makes rules that forbid the accesses that they handle. Older kernels have no
// scopes.
func createRuleset(attr *unix.LandlockRulesetAttr) (rules int, err error) {
	size := unsafe.Offsetof(attr.Handled_access_net)
	if attr.Scoped != 0 {
		size = unsafe.Offsetof(attr.Scoped) + unsafe.Sizeof(attr.Scoped)
	}
	return result(unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(attr)), size, 0))
}

// restrictSelf puts rules in force for the calling thread and its children.
func restrictSelf(rules int) error {
	_, err := result(unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0))
	return err
}

func result(value, _ uintptr, errno unix.Errno) (int, error) {
	if errno != 0 {
		return 0, errno
	}
	return int(value), nil
}

// allowOne allows a file, or a folder with all that is below it.
func allowOne(rules int, name string) error {
	fd, err := unix.Open(name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var about unix.Stat_t
	if err := unix.Fstat(fd, &about); err != nil {
		return err
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: allRights, Parent_fd: int32(fd)}
	if about.Mode&unix.S_IFMT != unix.S_IFDIR {
		attr.Allowed_access = fileRights
	}
	_, err = result(unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0))
	return err
}
