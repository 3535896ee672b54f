package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// ErrLow says that too little space is left for more work.
var ErrLow = errors.New("disk-low")

const (
	lowBytes = 64 << 20 // stays free for work that was taken already
	lowInode = 1000     // and this number of files can be made
	lowPart  = 20       // or this part of a disk, if that is less: 5 %
	scarce   = 8        // of a disk that is low: less than this part of the required free space is left
)

// The folders beside the store, in the folder of a daemon, that take space. The first two hold what
// it could do without.
const (
	Outputs = "output" // the output of tasks
	Cache   = "cache"  // copies of inputs
	Kept    = "blobs"  // inputs and outputs of jobs, until the jobs are forgotten
)

// Low refuses more work if the disk of a folder is nearly full. It says nothing of a disk whose
// size is not known.
func Low(folder string) error {
	var of syscall.Statfs_t
	if err := syscall.Statfs(folder, &of); err != nil {
		return nil
	}
	left, size := sizes(&of)
	if err := low(left, size, folder); err != nil {
		return err
	}
	return lowFiles(&of, folder)
}

// Scarce reports whether the disk of a folder is so full that a write may fail.
func Scarce(folder string) bool {
	var of syscall.Statfs_t
	if err := syscall.Statfs(folder, &of); err != nil {
		return false
	}
	left, size := sizes(&of)
	return left < leastOf(size)/scarce || of.Files > 0 && of.Ffree < min(lowInode, of.Files/lowPart)/scarce
}

// sizes are the bytes that are left on a disk, and all of them.
func sizes(of *syscall.Statfs_t) (left, size uint64) {
	block := uint64(of.Bsize)
	return of.Bavail * block, of.Blocks * block
}

// leastOf is how many bytes must be left on a disk of a size.
func leastOf(size uint64) uint64 { return min(lowBytes, size/lowPart) }

func low(left, size uint64, folder string) error {
	least := leastOf(size)
	if left >= least {
		return nil
	}
	return fmt.Errorf("%w: %d KiB are left on the disk of %s, and %d KiB must be; %s",
		ErrLow, left>>10, whole(folder), least>>10, lowRemedy(folder))
}

// lowFiles refuses more work if few files can be made. Some file systems have no such limit.
func lowFiles(of *syscall.Statfs_t, folder string) error {
	least := min(lowInode, of.Files/lowPart)
	if of.Ffree >= least {
		return nil
	}
	return fmt.Errorf("%w: %d inodes are left on the disk of %s, and %d must be; %s",
		ErrLow, of.Ffree, whole(folder), least, lowRemedy(folder))
}

func lowRemedy(folder string) string {
	return "free space there" + Spare(folder) + ", or ask another daemon"
}

// Spare says, in parentheses, which files in the folder of a daemon may be deleted to free space,
// and which files go with jobs.
func Spare(folder string) string {
	var parts []string
	for _, of := range []struct{ name, what string }{
		{Outputs, "task output"}, {Cache, "copies of inputs"},
	} {
		if size := sizeOf(filepath.Join(folder, of.name)); size > 0 {
			parts = append(parts, fmt.Sprintf("%s, %d KiB of %s",
				whole(filepath.Join(folder, of.name)), (size+1<<10-1)>>10, of.what))
		}
	}
	var words []string
	if len(parts) > 0 {
		words = append(words, "the files in "+strings.Join(parts, ", and in ")+", may be deleted")
	}
	if size := sizeOf(filepath.Join(folder, Kept)); size > 0 {
		words = append(words, fmt.Sprintf("canvass rm frees what ended jobs keep of the %d KiB in %s",
			(size+1<<10-1)>>10, whole(filepath.Join(folder, Kept))))
	}
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}

// sizeOf is how many bytes are in the files of a folder, as far as they can be read.
func sizeOf(folder string) (size int64) {
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

// ShrinkOutputs removes the output of tasks, the oldest first, while the disk of a folder is low.
// Files for which kept is true stay.
func ShrinkOutputs(folder string, kept func(fs.FileInfo) bool) (removed int, err error) {
	outputs := filepath.Join(folder, Outputs)
	all, err := os.ReadDir(outputs)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var infos []fs.FileInfo
	for _, file := range all {
		if info, failed := file.Info(); failed == nil && info.Mode().IsRegular() && !kept(info) {
			infos = append(infos, info)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range infos {
		if Low(folder) == nil {
			break
		}
		failed := os.Remove(filepath.Join(outputs, info.Name()))
		if err = errors.Join(err, failed); failed == nil {
			removed++
		}
	}
	return removed, err
}
