package store

import (
	maps "github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/traces"
)

// Words explain what the texts of the store and of its map say, to readers of pages who do not know
// the protocols.
func Words() []traces.Term {
	return append([]traces.Term{
		{
			Kind:    traces.IdeaTerm,
			Word:    "register",
			Meaning: "a number under a key, which is a point of the space; the owner of the zone that the key lies in keeps it. Without a value it reads 0",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "handover",
			Meaning: "when a zone is split or merged, who gives a part of it away stops serving it at once and sends the registers in it; who gets it serves them when they came",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "attempt",
			Meaning: "a client’s node asks one node at a time, and numbers that; it asks another only if the first refused or is gone, so that nothing is executed twice",
		},

		{
			Kind:    traces.CommandTerm,
			Word:    "operation",
			Meaning: "a client calls: get reads, put writes, cas writes if the value is the expected one, lookup asks who owns the key; the number in front names the call",
		},

		{
			Kind:    traces.MessageTerm,
			Word:    "Request",
			Meaning: "an attempt at an operation: the receiver is to execute it, if it serves the key; tried lists those who were asked before and never answered",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Reply",
			Meaning: "what became of an attempt: served, mismatch (of a cas), refused (ask the node in the hint), full, or unknown: it may have been executed by one who is gone",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Give",
			Meaning: "the registers of a part of the zone, which belongs to the receiver now, and what was decided about requests",
		},
		{Kind: traces.MessageTerm, Word: "GiveOK", Meaning: "the receiver has what it was given"},

		{
			Kind:    traces.TimerTerm,
			Word:    "retry operations",
			Meaning: "a drawn delay is over: operations without an answer are pursued again",
		},
		{Kind: traces.TimerTerm, Word: "resend handovers", Meaning: "a handover was not acknowledged and is sent again"},
		{
			Kind:    traces.TimerTerm,
			Word:    "gone",
			Meaning: "that node was waited for and has said nothing for so long that it is taken for failed",
		},

		{Kind: traces.EventTerm, Word: "called", Meaning: "an operation begins"},
		{Kind: traces.EventTerm, Word: "answered", Meaning: "an operation ends: it was executed, by that node"},
		{Kind: traces.EventTerm, Word: "value", Meaning: "the value that an answer brought"},
		{Kind: traces.EventTerm, Word: "unknown", Meaning: "an operation ends, and nobody can say whether it was executed"},
		{Kind: traces.EventTerm, Word: "rejected", Meaning: "an operation ends, and was not and will not be executed"},
		{Kind: traces.EventTerm, Word: "served", Meaning: "the node executed a client’s operation"},
		{Kind: traces.EventTerm, Word: "refused", Meaning: "the node does not own the key, and says so"},
		{Kind: traces.EventTerm, Word: "zone", Meaning: "the node’s zone has changed"},
		{
			Kind:    traces.EventTerm,
			Word:    "given",
			Meaning: "a part of the zone falls to that node; this one serves it no more, and that one does when the registers came",
		},
		{Kind: traces.EventTerm, Word: "received", Meaning: "the registers of a part of the zone came from that node"},
		{Kind: traces.EventTerm, Word: "delivered", Meaning: "that node has what it was given"},
		{Kind: traces.EventTerm, Word: "lost", Meaning: "the registers of a part of the zone are lost with that node"},
		{Kind: traces.EventTerm, Word: "finished", Meaning: "the node has left, and all is handed over"},

		{Kind: traces.StateTerm, Word: "{(6)=1}", Meaning: "the registers that the node keeps: under the key 6 the value 1"},
		{
			Kind:    traces.StateTerm,
			Word:    "pending",
			Meaning: "an operation of one of the node’s own clients: the number of the attempt (#), who is asked (at), and who was and has gone (tried)",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "awaits",
			Meaning: "a part of the zone whose registers have not come yet, who sends them, and by which of its rounds; its keys are not served",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "gives",
			Meaning: "registers on their way to the new owner of a part that was given away, until it has acknowledged them; needs: what must come in first",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "decided",
			Meaning: "requests of which the node knows what became of them, so that none is executed twice",
		},
		{Kind: traces.StateTerm, Word: "left{}", Meaning: "nodes that have left in good order, and whose decisions it knows"},
	}, maps.Words()...)
}
