package can

import (
	"slices"

	"github.com/canvass-grid/canvass/traces"
)

// Words explain the terms, messages, timers and events of protocol/can to readers of a page.
func Words() []traces.Term { return words("can") }

// words explains the texts of a family of models.
func words(family string) []traces.Term {
	if family == "can" {
		return slices.Concat(commonWords(), correctedWords())
	}
	return slices.Concat(commonWords(), publishedWords())
}

// commonWords are those of the corrected protocol and of the published one.
func commonWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "zone", Meaning: "a node’s box of the coordinate space; the zones cover the " +
			"space without gap or overlap, so each point has one owner"},
		{Kind: traces.IdeaTerm, Word: "neighbour", Meaning: "a node whose zone touches this node’s zone; the " +
			"neighbours of neighbours are known too, as indirect neighbours"},
		{Kind: traces.IdeaTerm, Word: "routing", Meaning: "a message to a point passes from neighbour to neighbour, " +
			"each time nearer to the point"},
		{Kind: traces.IdeaTerm, Word: "takeover", Meaning: "when a node leaves or fails, the neighbours across its " +
			"latest split add its zone to their own"},
		{Kind: traces.IdeaTerm, Word: "round", Meaning: "one change of the map: SPLIT for a join, MERGE for a leave, " +
			"TAKEOVER for a failure; the proposer asks its neighbourhood, decides, and sends the decision"},

		{Kind: traces.CommandTerm, Word: "create", Meaning: "start a new network as its first node, which owns the " +
			"whole space"},
		{Kind: traces.CommandTerm, Word: "join", Meaning: "get a zone: the owner of the joiner’s coordinate splits " +
			"its own zone (a SPLIT)"},
		{Kind: traces.CommandTerm, Word: "leave", Meaning: "give the zone to the neighbours that take it over (a " +
			"MERGE), then stop"},

		{Kind: traces.MessageTerm, Word: "Join", Meaning: "a request to join, routed towards the owner of the " +
			"joiner’s coordinate"},
		{Kind: traces.MessageTerm, Word: "Refuse", Meaning: "not now: the joiner must ask again"},
		{Kind: traces.MessageTerm, Word: "Propose", Meaning: "a node that wants to change the map asks its " +
			"neighbourhood to promise that it changes nothing meanwhile; the number is that of its round"},
		{Kind: traces.MessageTerm, Word: "ProposeOK", Meaning: "the answer: YES is a promise to change nothing until " +
			"the round ends, NO cancels the round"},
		{Kind: traces.MessageTerm, Word: "Commit", Meaning: "the decision of the round; NO-OP means that the round " +
			"is cancelled and nothing changes"},
		{Kind: traces.MessageTerm, Word: "Update", Meaning: "periodic news: the sender’s zone, and its neighbours’ " +
			"zones in its view"},

		{Kind: traces.TimerTerm, Word: "propose", Meaning: "an answer to the proposal did not arrive in time; it " +
			"counts as NO"},
		{Kind: traces.TimerTerm, Word: "retry", Meaning: "the delay is over after which a postponed request is tried " +
			"again"},
		{Kind: traces.TimerTerm, Word: "update", Meaning: "it is time to send the direct neighbours an Update"},
		{Kind: traces.TimerTerm, Word: "missed", Meaning: "that neighbour sent no update for so long that it is " +
			"suspected; if this node is a taker of its zone, it takes over"},

		{Kind: traces.EventTerm, Word: "create", Meaning: "the node is the first of a new network"},
		{Kind: traces.EventTerm, Word: "joined", Meaning: "notifies the application that its node owns a zone"},
		{Kind: traces.EventTerm, Word: "left", Meaning: "notifies the application that its node has left"},
		{Kind: traces.EventTerm, Word: "retry", Meaning: "a request is postponed and will be tried again"},
		{Kind: traces.EventTerm, Word: "request", Meaning: "a round begins, with its number and its change"},
		{Kind: traces.EventTerm, Word: "promise", Meaning: "the node answered YES to that proposer’s round"},
		{Kind: traces.EventTerm, Word: "refuse", Meaning: "the node answered NO to that proposer’s round"},
		{Kind: traces.EventTerm, Word: "decide", Meaning: "the proposer decides its round: the change takes effect, " +
			"or NO-OP cancels it"},
		{Kind: traces.EventTerm, Word: "execute", Meaning: "another node executes what that proposer’s round decided"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "the node suspects that other node, which may have left in " +
			"good order"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},

		{Kind: traces.StateTerm, Word: "[0,4)", Meaning: "a zone: from 0 up to but not including 4; with x between " +
			"them, one range for each dimension"},
		{Kind: traces.StateTerm, Word: "@(2)", Meaning: "the node’s coordinate, which must lie in its zone"},
		{Kind: traces.StateTerm, Word: "/0<4", Meaning: "a split: in dimension 0, the zone lies below 4; the list of " +
			"splits determines the takers"},
	}
}

// correctedWords are those of the corrected protocol only.
func correctedWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.MessageTerm, Word: "Release", Meaning: "the round is over: the receiver’s latest promise is void"},
		{Kind: traces.MessageTerm, Word: "CommitOK", Meaning: "acknowledges a Commit"},
		{Kind: traces.MessageTerm, Word: "Query", Meaning: "the proposer of a split has failed: does the joiner own " +
			"its zone?"},
		{Kind: traces.MessageTerm, Word: "Answer", Meaning: "a joiner's record of its split; empty if it is no " +
			"member"},

		{Kind: traces.TimerTerm, Word: "resend", Meaning: "a Commit, a YES or a Query was not answered in time and " +
			"is sent again"},

		{Kind: traces.EventTerm, Word: "release", Meaning: "the node’s promise to that proposer is void"},
		{Kind: traces.EventTerm, Word: "fenced", Meaning: "the node is notified that others consider it dead, and stops"},

		{Kind: traces.StateTerm, Word: "v1", Meaning: "the version of a zone; it grows with each change"},
		{Kind: traces.StateTerm, Word: "e1", Meaning: "the epoch of a node: the number of other nodes’ rounds that " +
			"it has executed; it tells new records from old ones"},
		{Kind: traces.StateTerm, Word: "known{}", Meaning: "the nodes near this one in its view: version, " +
			"epoch, zone, coordinate and splits of each"},
		{Kind: traces.StateTerm, Word: "dead{}", Meaning: "nodes that have left or failed; if also known, such a node is " +
			"a hole: no node has taken its zone over yet"},
		{Kind: traces.StateTerm, Word: "PROPOSING", Meaning: "the node’s own round waits for answers; GRANTING: for " +
			"nodes that get zones; COMMITTING: for all others; waiting{} and later{} list them"},
		{Kind: traces.StateTerm, Word: "promise", Meaning: "the round of another node to which this one answered YES"},
		{Kind: traces.StateTerm, Word: "contact", Meaning: "the node that this one asked to let it in"},
	}
}

// publishedWords are those of the published protocol only.
func publishedWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.MessageTerm, Word: "Handover", Meaning: "the joiner’s zone, and the records that go with it"},

		{Kind: traces.EventTerm, Word: "takeover", Meaning: "the node adds the zone of the failed node to its own, " +
			"alone and at once"},

		{Kind: traces.StateTerm, Word: "i1", Meaning: "the instance number; it tells new records from old ones"},
		{Kind: traces.StateTerm, Word: "γ", Meaning: "the change that the node has requested"},
		{Kind: traces.StateTerm, Word: "reply", Meaning: "the answers to its proposal so far; UNDEF: none yet"},
		{Kind: traces.StateTerm, Word: "nodes", Meaning: "the nodes near this one in its view; BUSY: it has " +
			"made a promise or is in its own round"},
		{Kind: traces.StateTerm, Word: "gone", Meaning: "nodes that have left or failed"},
	}
}
