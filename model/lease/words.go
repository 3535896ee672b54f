package lease

import "github.com/canvass-grid/canvass/traces"

// Words explain the terms, messages, timers and events of protocol/lease to readers of a page.
func Words() []traces.Term { return nil }
