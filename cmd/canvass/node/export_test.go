package node

// Internals for the tests of this package.
var (
	Table   = table
	OneNode = describeNode
	Left    = left
	Mute    = mute
	Old     = old
	Torn    = torn
)

// Made and Ready are JSON output of commands.
type (
	Made  = made
	Ready = ready
)
