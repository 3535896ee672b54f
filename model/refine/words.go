package refine

import (
	_ "embed"

	"github.com/canvass-grid/canvass/traces"
)

//go:embed words.txt
var wordsText string

// Words explain the terms, messages, timers and events of protocol/refine to readers of a page.
func Words() []traces.Term { return traces.Terms(wordsText, "common", "corrected") }

// publishedWords explain the published protocol.
func publishedWords() []traces.Term { return traces.Terms(wordsText, "common", "published") }
