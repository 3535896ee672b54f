package store

import (
	"slices"

	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/traces"
)

// Words explain the terms, messages, timers and events of protocol/store, and of the map below it,
// to readers of a page.
func Words() []traces.Term { return slices.Concat(ownWords(), maps.Words()) }

// ownWords are those of the store itself.
func ownWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "register", Meaning: "a number under a key, which is a point of the space; the " +
			"owner of the key’s zone stores it; a register without a value reads 0"},
		{Kind: traces.IdeaTerm, Word: "handover", Meaning: "when a zone is split or merged, the former owner of a " +
			"part stops serving it at once and sends its registers; the new owner serves them when they have " +
			"arrived"},
		{Kind: traces.IdeaTerm, Word: "attempt", Meaning: "a client’s node asks one node at a time and numbers each " +
			"attempt; it asks another node only if the first one refused or is gone, so that nothing is " +
			"executed twice"},

		{Kind: traces.CommandTerm, Word: "operation", Meaning: "a client calls get (read), put (write), cas (write " +
			"if the value is the expected one) or lookup (find the owner of the key); the number in front names " +
			"the call"},

		{Kind: traces.MessageTerm, Word: "Request", Meaning: "an attempt at an operation: the receiver executes it " +
			"if it serves the key; tried lists the nodes that were asked before and never answered"},
		{Kind: traces.MessageTerm, Word: "Reply", Meaning: "the outcome of an attempt: served, mismatch (of a cas), " +
			"refused (ask the node in the hint), full, or unknown: a node that is gone may have executed it"},
		{Kind: traces.MessageTerm, Word: "Give", Meaning: "the registers of a part of the zone that the receiver " +
			"owns now, and the known outcomes of requests"},
		{Kind: traces.MessageTerm, Word: "GiveOK", Meaning: "the receiver has the registers"},

		{Kind: traces.TimerTerm, Word: "retry operations", Meaning: "a random delay is over: unanswered operations " +
			"are tried again"},
		{Kind: traces.TimerTerm, Word: "resend handovers", Meaning: "a handover was not acknowledged and is sent again"},
		{Kind: traces.TimerTerm, Word: "gone", Meaning: "a node that was waited for sent nothing for so long that it " +
			"is suspected"},

		{Kind: traces.EventTerm, Word: "called", Meaning: "an operation begins"},
		{Kind: traces.EventTerm, Word: "answered", Meaning: "an operation ends: that node executed it"},
		{Kind: traces.EventTerm, Word: "value", Meaning: "the value that an answer brought"},
		{Kind: traces.EventTerm, Word: "unknown", Meaning: "an operation ends with an unknown outcome: it may have " +
			"been executed"},
		{Kind: traces.EventTerm, Word: "rejected", Meaning: "an operation ends without execution, now or later"},
		{Kind: traces.EventTerm, Word: "served", Meaning: "the node executed a client’s operation"},
		{Kind: traces.EventTerm, Word: "refused", Meaning: "the node does not own the key, and replies so"},
		{Kind: traces.EventTerm, Word: "zone", Meaning: "the node’s zone has changed"},
		{Kind: traces.EventTerm, Word: "given", Meaning: "that node owns a part of the zone from now on; this node " +
			"stops serving it, and that node serves it when the registers have arrived"},
		{Kind: traces.EventTerm, Word: "received", Meaning: "the registers of a part of the zone arrived from that node"},
		{Kind: traces.EventTerm, Word: "delivered", Meaning: "that node has the registers of the handover"},
		{Kind: traces.EventTerm, Word: "lost", Meaning: "the registers of a part of the zone are lost with that node"},
		{Kind: traces.EventTerm, Word: "finished", Meaning: "the node has left, and all handovers are complete"},

		{Kind: traces.StateTerm, Word: "{(6)=1}", Meaning: "the registers that the node stores: under the key 6 the " +
			"value 1"},
		{Kind: traces.StateTerm, Word: "pending", Meaning: "an operation of the node’s own clients: the number of " +
			"the attempt (#), the node that is asked (at), and the nodes that were asked and are gone (tried)"},
		{Kind: traces.StateTerm, Word: "awaits", Meaning: "a part of the zone whose registers have not arrived, " +
			"their sender, and the sender’s round; its keys are not served yet"},
		{Kind: traces.StateTerm, Word: "gives", Meaning: "registers on their way to their new owner, until it " +
			"acknowledges them; needs: items that must arrive here first"},
		{Kind: traces.StateTerm, Word: "decided", Meaning: "requests with a known outcome, so that they are not " +
			"executed twice"},
		{Kind: traces.StateTerm, Word: "left{}", Meaning: "nodes that have left in good order, and whose outcomes " +
			"the node knows"},
	}
}
