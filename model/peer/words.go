package peer

import (
	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/traces"
)

// Words explain what the texts of a node and of its layers say, to readers of pages who do not know
// the protocols.
func Words() []traces.Term {
	all := []traces.Term{
		{
			Kind:    traces.IdeaTerm,
			Word:    "grid",
			Meaning: "each node has three layers: the map (can), clusters (refine) and jobs (tasks); messages, timers and events are named after their layer",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "requirement",
			Meaning: "a job asks for a point of the space; who owns that point answers for the job",
		},

		{Kind: traces.CommandTerm, Word: "create", Meaning: "become the first node of a new grid"},
		{Kind: traces.CommandTerm, Word: "join", Meaning: "become part of the grid that the contact is in"},
		{
			Kind:    traces.CommandTerm,
			Word:    "leave",
			Meaning: "give back what has not begun, end what runs, and then leave the map",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "add",
			Meaning: "these nodes may be near: they are candidates for the node’s cluster",
		},
		{Kind: traces.CommandTerm, Word: "measure", Meaning: "latencies may have changed: measure again"},
		{
			Kind:    traces.CommandTerm,
			Word:    "submit",
			Meaning: "a client submits a job, which is passed on to who answers for it; the number is the client’s ticket",
		},
		{Kind: traces.CommandTerm, Word: "cancel", Meaning: "the client does not want the job any more"},
		{Kind: traces.CommandTerm, Word: "move", Meaning: "a job that has not begun is to be represented elsewhere"},

		{
			Kind:    traces.MessageTerm,
			Word:    "Job",
			Meaning: "a job on its way to who is to answer for it, or whose owner has failed (orphan)",
		},
		{Kind: traces.MessageTerm, Word: "Owned", Meaning: "the sender answers for the job with that ticket"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Heir",
			Meaning: "the sender answers for a job whose owner has failed: these may represent it",
		},

		{Kind: traces.EventTerm, Word: "owned", Meaning: "that node answers for a job that was submitted here"},
		{Kind: traces.EventTerm, Word: "lost", Meaning: "a job of that client ends here: nobody can answer for it"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node makes nothing of what it got"},
	}
	for _, layer := range []struct {
		name  string
		terms []traces.Term
	}{{"can", maps.Words()}, {"refine", refine.Words()}, {"tasks", reptask.Words()}} {
		all = append(all, within(layer.name, layer.terms)...)
	}
	return all
}

// within returns the words of a layer as those of a node, which names the layer first.
func within(layer string, terms []traces.Term) []traces.Term {
	var all []traces.Term
	for _, t := range terms {
		switch t.Kind {
		case traces.MessageTerm, traces.TimerTerm:
			t.Word = layer + " " + t.Word
		case traces.EventTerm:
			t.Word = layer + ":" + t.Word
		case traces.CommandTerm:
			continue // a node has its own
		}
		all = append(all, t)
	}
	return all
}
