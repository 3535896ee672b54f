package node

// What the tests of this package look at.
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
