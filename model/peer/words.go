package peer

import (
	_ "embed"
	canmodel "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/traces"
)

//go:embed words.txt
var wordsText string

// Words explain the terms, messages, timers and events of a node and of its layers to readers of a
// page.
func Words() []traces.Term {
	all := traces.Terms(wordsText)
	for _, layer := range []struct {
		name  string
		terms []traces.Term
	}{{"can", canmodel.Words()}, {"refine", refine.Words()}, {"tasks", reptask.Words()}, {"tree", dtm.Words()}} {
		all = append(all, within(layer.name, layer.terms)...)
	}
	return all
}

// within returns the words of a layer with the layer's name in front, as a node writes them.
func within(layer string, terms []traces.Term) []traces.Term {
	var all []traces.Term
	for _, t := range terms {
		switch t.Kind {
		case traces.MessageTerm, traces.TimerTerm:
			t.Word = layer + " " + t.Word
		case traces.EventTerm:
			t.Word = layer + ":" + t.Word
		case traces.CommandTerm:
			continue // a node has its own commands
		}
		all = append(all, t)
	}
	return all
}
