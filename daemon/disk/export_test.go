package disk

// LowOf refuses more work on a disk of so many bytes of which some are left.
func LowOf(left, size uint64) error { return low(left, size, "/data") }
