package daemon

// What the tests of this package look at.
var (
	LastLines = lastLines
	Table     = table
	Notice    = Env.notice
	Keyed     = keyed
	Repeated  = repeated
)
