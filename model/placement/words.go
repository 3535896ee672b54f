package placement

import (
	_ "embed"

	"github.com/canvass-grid/canvass/traces"
)

//go:embed words.txt
var wordsText string

// Words explain the terms, commands, timers and events of protocol/placement to readers of a page.
func Words() []traces.Term { return traces.Terms(wordsText) }
