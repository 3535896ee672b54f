package muster

import (
	_ "embed"

	"github.com/canvass-grid/canvass/traces"
)

//go:embed words.txt
var wordsText string

// Words explain the terms, messages, timers and events of protocol/muster to readers of a page.
func Words() []traces.Term { return traces.Terms(wordsText) }
