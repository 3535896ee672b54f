package disk

import (
	"errors"
	"fmt"
	"syscall"
)

// ErrLow says that too little space is left for more work.
var ErrLow = errors.New("disk-low")

const (
	lowBytes = 64 << 20 // so much stays free for what was taken already
	lowPart  = 20       // or this part of a disk, if that is less: 5 %
)

// Low refuses more work if the disk of a folder is nearly full. It says nothing of a disk whose
// size is not known.
func Low(folder string) error {
	var of syscall.Statfs_t
	if err := syscall.Statfs(folder, &of); err != nil {
		return nil
	}
	block := uint64(of.Bsize)
	return low(uint64(of.Bavail)*block, uint64(of.Blocks)*block, folder)
}

func low(left, size uint64, folder string) error {
	least := min(lowBytes, size/lowPart)
	if left >= least {
		return nil
	}
	return fmt.Errorf("%w: %d KiB are left on the disk of %s, and %d KiB must be; free space there, or ask another daemon",
		ErrLow, left>>10, whole(folder), least>>10)
}
