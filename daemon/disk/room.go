package disk

import "syscall"

// Room refuses a file of this size if the disk of a folder would be nearly full with it: then the
// store, which is on the same disk, could not be written.
func Room(folder string, size int64) error {
	var of syscall.Statfs_t
	if err := syscall.Statfs(folder, &of); err != nil {
		return Low(folder)
	}
	block := uint64(of.Bsize)
	left, needs := of.Bavail*block, uint64(max(0, size))
	return low(left-min(left, needs), of.Blocks*block, folder)
}
