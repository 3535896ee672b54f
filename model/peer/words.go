package peer

import (
	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/traces"
)

// Words explain the terms, messages, timers and events of a node and of its layers to readers of a
// page.
func Words() []traces.Term {
	all := ownWords()
	for _, layer := range []struct {
		name  string
		terms []traces.Term
	}{{"can", maps.Words()}, {"refine", refine.Words()}, {"tasks", reptask.Words()}, {"tree", dtm.Words()}} {
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

// ownWords are the words that belong to no layer.
func ownWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "grid", Meaning: "each node has three layers: the map (can), clusters (refine) " +
			"and jobs (tasks); messages, timers and events begin with their layer"},
		{Kind: traces.IdeaTerm, Word: "requirement", Meaning: "a job asks for a point of the space; the owner of " +
			"that point owns the job"},

		{Kind: traces.CommandTerm, Word: "create", Meaning: "start a new grid as its first node"},
		{Kind: traces.CommandTerm, Word: "join", Meaning: "join the grid of the contact"},
		{Kind: traces.CommandTerm, Word: "leave", Meaning: "return what has not begun, finish what runs, then leave " +
			"the map"},
		{Kind: traces.CommandTerm, Word: "add", Meaning: "these nodes may be near: they become candidates for the " +
			"node’s cluster"},
		{Kind: traces.CommandTerm, Word: "tree:", Meaning: "join the tree that predicts latencies through these nodes, or " +
			"begin one"},
		{Kind: traces.CommandTerm, Word: "measure", Meaning: "latencies may have changed: measure again"},
		{Kind: traces.CommandTerm, Word: "submit", Meaning: "a client submits a job, which is routed to its owner; " +
			"the number is the client’s ticket"},
		{Kind: traces.CommandTerm, Word: "cancel", Meaning: "the client no longer wants the job"},
		{Kind: traces.CommandTerm, Word: "move", Meaning: "another node is to represent a job that has not begun"},

		{Kind: traces.MessageTerm, Word: "Job", Meaning: "a job on its way to its owner, or one whose owner has " +
			"failed (orphan)"},
		{Kind: traces.MessageTerm, Word: "Owned", Meaning: "the sender owns the job with that ticket"},
		{Kind: traces.MessageTerm, Word: "Unmatched", Meaning: "the search for a node that can run the job with that " +
			"ticket has ended without one"},
		{Kind: traces.MessageTerm, Word: "Heir", Meaning: "the sender owns a job whose former owner has failed; " +
			"these nodes may represent it"},

		{Kind: traces.EventTerm, Word: "owned", Meaning: "that node owns a job that was submitted here"},
		{Kind: traces.EventTerm, Word: "lost", Meaning: "a job of that client ends here: no node can own it"},
		{Kind: traces.EventTerm, Word: "search", Meaning: "no node near can run the job with that ticket: a search " +
			"begins here, or goes on"},
		{Kind: traces.EventTerm, Word: "unmatched", Meaning: "the search for a node that can run the job with that " +
			"ticket has ended without one"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},
	}
}
