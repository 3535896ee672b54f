package daemon

import "time"

// What the tests of this package look at.
var (
	LastLines = lastLines
	Table     = table
	Notice    = Env.notice
	Keyed     = keyed
	Named     = named
	Left      = left
	Mute      = mute
	Old       = old
	Torn      = torn
	Repeated  = repeated
)

// Made and Ready are what commands write as JSON.
type (
	Made  = made
	Ready = ready
)

// Soon looks for reasons every millisecond.
func Soon(reasons bool) notices { return notices{time.Millisecond, time.Millisecond, reasons} }
