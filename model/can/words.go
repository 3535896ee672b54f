package can

import (
	_ "embed"

	"github.com/canvass-grid/canvass/traces"
)

//go:embed words.txt
var wordsText string

// Words explain the terms, messages, timers and events of protocol/can to readers of a page.
func Words() []traces.Term { return words("can") }

// words explains the texts of a family of models.
func words(family string) []traces.Term {
	if family == "can" {
		return traces.Terms(wordsText, "common", "corrected")
	}
	return traces.Terms(wordsText, "common", "published")
}
