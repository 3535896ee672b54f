package store

import (
	_ "embed"
	"slices"

	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/traces"
)

//go:embed words.txt
var wordsText string

// Words explain the terms, messages, timers and events of protocol/store, and of the map below it,
// to readers of a page.
func Words() []traces.Term { return slices.Concat(traces.Terms(wordsText), canmodel.Words()) }
