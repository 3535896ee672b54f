package veil

// The ways to hide folders, the better one first.
const (
	Mounts   = "mounts"   // an empty file system is mounted over them, in a mount namespace
	Landlock = "landlock" // the kernel refuses to open what is below them
	None     = "none"     // they are not hidden
)
