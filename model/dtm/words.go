package dtm

import "github.com/canvass-grid/canvass/traces"

// Words explain the terms, messages, timers and events of protocol/dtm to readers of a page.
func Words() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "segment", Meaning: "the stretch of the tree that a host owns, from its leaf to " +
			"a point of its anchor’s segment"},
		{Kind: traces.IdeaTerm, Word: "anchor", Meaning: "the host on whose segment another host’s segment ends"},
		{Kind: traces.IdeaTerm, Word: "label", Meaning: "a host’s path to the root: C/2@6-B/8@0-A/0@0 is C with a " +
			"segment of 2, which ends at 6 on that of B"},
		{Kind: traces.IdeaTerm, Word: "heir", Meaning: "the child that takes the place of an anchor that is gone: " +
			"the one nearest the anchor’s leaf"},
		{Kind: traces.IdeaTerm, Word: "position", Meaning: "a host’s label and children, as its children have them; " +
			"its version counts the changes"},

		{Kind: traces.StateTerm, Word: "outside", Meaning: "the node is in no tree"},
		{Kind: traces.StateTerm, Word: "joining", Meaning: "the node looks for its place"},
		{Kind: traces.StateTerm, Word: "member", Meaning: "the node is in the tree"},
		{Kind: traces.StateTerm, Word: "heard", Meaning: "the version of the anchor’s position that arrived last"},
		{Kind: traces.StateTerm, Word: "consents", Meaning: "the node lets that other node leave, and does not leave " +
			"meanwhile"},

		{Kind: traces.CommandTerm, Word: "join", Meaning: "join the tree of these hosts; without any, begin a tree"},
		{Kind: traces.CommandTerm, Word: "leave", Meaning: "leave the tree without changing a prediction among the others"},

		{Kind: traces.MessageTerm, Word: "Look", Meaning: "a request for a host’s view"},
		{Kind: traces.MessageTerm, Word: "Report", Meaning: "a host’s label, children and siblings, with the version"},
		{Kind: traces.MessageTerm, Word: "Attach", Meaning: "become my anchor, if you are still as in that version"},
		{Kind: traces.MessageTerm, Word: "Refuse", Meaning: "the host has changed since that version, or it leaves"},
		{Kind: traces.MessageTerm, Word: "Position", Meaning: "the anchor’s label and children; the first one answers " +
			"an Attach"},
		{Kind: traces.MessageTerm, Word: "PositionOK", Meaning: "that position has arrived"},
		{Kind: traces.MessageTerm, Word: "Leaving", Meaning: "a request to consent to the sender’s leave"},
		{Kind: traces.MessageTerm, Word: "Consent", Meaning: "the sender lets the receiver leave"},
		{Kind: traces.MessageTerm, Word: "Object", Meaning: "the sender does not let the receiver leave now"},
		{Kind: traces.MessageTerm, Word: "Release", Meaning: "that round has ended without a leave"},
		{Kind: traces.MessageTerm, Word: "Left", Meaning: "the sender is out of the tree"},
		{Kind: traces.MessageTerm, Word: "LeftOK", Meaning: "the sender acknowledges that the receiver is out of the tree"},
		{Kind: traces.MessageTerm, Word: "Claim", Meaning: "the sender has taken the place of that former child"},
		{Kind: traces.MessageTerm, Word: "Aggregate", Meaning: "the hosts nearest the receiver on the sender’s side of " +
			"the tree"},
		{Kind: traces.MessageTerm, Word: "AggregateOK", Meaning: "that list has arrived"},
		{Kind: traces.MessageTerm, Word: "Beat", Meaning: "a heartbeat of a host that has nothing to resend"},

		{Kind: traces.TimerTerm, Word: "answer", Meaning: "views or measurements are overdue"},
		{Kind: traces.TimerTerm, Word: "retry", Meaning: "it is time to try again after a refusal"},
		{Kind: traces.TimerTerm, Word: "keep", Meaning: "it is time to resend what the neighbours may have missed"},
		{Kind: traces.TimerTerm, Word: "missed", Meaning: "that node sent no heartbeat for so long that it is suspected"},
		{Kind: traces.TimerTerm, Word: "heal", Meaning: "no heir has claimed the place of that failed child"},

		{Kind: traces.EventTerm, Word: "joined", Meaning: "the node is in the tree, with that anchor"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "the node suspects that other node"},
		{Kind: traces.EventTerm, Word: "givenup", Meaning: "the node has found no place"},
		{Kind: traces.EventTerm, Word: "refused", Meaning: "that host does not become the anchor now"},
		{Kind: traces.EventTerm, Word: "attach", Meaning: "that host is a child of the node now"},
		{Kind: traces.EventTerm, Word: "asks", Meaning: "the node asks its neighbours to let it leave"},
		{Kind: traces.EventTerm, Word: "aborts", Meaning: "it no longer asks, and tries again later"},
		{Kind: traces.EventTerm, Word: "commit", Meaning: "all have consented: the node is out of the tree"},
		{Kind: traces.EventTerm, Word: "moved", Meaning: "the anchor is gone, and that host is its heir"},
		{Kind: traces.EventTerm, Word: "orphan", Meaning: "the anchor is gone before the node received its children"},
		{Kind: traces.EventTerm, Word: "left", Meaning: "the node has left"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},
		{Kind: traces.EventTerm, Word: "broken", Meaning: "the step breaks a rule of the contract"},
	}
}
