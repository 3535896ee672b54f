package lease

import "github.com/canvass-grid/canvass/traces"

// Words explain the terms, messages, timers and events of protocol/lease to readers of a page.
func Words() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "witness", Meaning: "a node that grants leases and condemns lives"},
		{Kind: traces.IdeaTerm, Word: "generation", Meaning: "the number of a grid; each has one founder"},
		{Kind: traces.IdeaTerm, Word: "round", Meaning: "one renewal of a lease, with a majority of witnesses"},
		{Kind: traces.MessageTerm, Word: "Look", Meaning: "which generation is there?"},
		{Kind: traces.MessageTerm, Word: "Found", Meaning: "promise this generation to the sender"},
		{Kind: traces.MessageTerm, Word: "Renew", Meaning: "grant this round to the sender"},
		{Kind: traces.MessageTerm, Word: "Ask", Meaning: "is this life over?"},
		{Kind: traces.MessageTerm, Word: "Promised", Meaning: "the witness promises the generation to nobody else"},
		{Kind: traces.MessageTerm, Word: "Granted", Meaning: "the witness grants the round, and names a member"},
		{Kind: traces.MessageTerm, Word: "Refused", Meaning: "the witness does not, and why"},
		{Kind: traces.MessageTerm, Word: "Verdict", Meaning: "whether the witness condemned the life"},
		{Kind: traces.CommandTerm, Word: "ask", Meaning: "the driver asks for a life"},
		{Kind: traces.CommandTerm, Word: "entered", Meaning: "the node is in the grid"},
		{Kind: traces.CommandTerm, Word: "regrid", Meaning: "the operator closes the generation at a witness"},
		{Kind: traces.TimerTerm, Word: "resend", Meaning: "unanswered messages are sent again"},
		{Kind: traces.TimerTerm, Word: "next round", Meaning: "the lease is renewed"},
		{Kind: traces.TimerTerm, Word: "even round expires", Meaning: "a round with an even number grants nothing more"},
		{Kind: traces.TimerTerm, Word: "odd round expires", Meaning: "a round with an odd number grants nothing more"},
		{Kind: traces.TimerTerm, Word: "ask again", Meaning: "unanswered questions are sent again"},
		{Kind: traces.TimerTerm, Word: "grant ends", Meaning: "the grant of a witness is over"},
		{Kind: traces.TimerTerm, Word: "grace ends", Meaning: "no grant of a former life of the witness is in force"},
		{Kind: traces.TimerTerm, Word: "asks for", Meaning: "the driver asks for a life that it suspects"},
		{Kind: traces.TimerTerm, Word: "enters", Meaning: "the node enters the grid"},
		{Kind: traces.TimerTerm, Word: "next life", Meaning: "a process begins again after a fence"},
		{Kind: traces.EventTerm, Word: "leased", Meaning: "the node has a lease, and enters through a member"},
		{Kind: traces.EventTerm, Word: "founded", Meaning: "the node has a lease, and creates the grid"},
		{Kind: traces.EventTerm, Word: "fenced", Meaning: "the life ends, and why"},
		{Kind: traces.EventTerm, Word: "identity", Meaning: "another process has or had this identity"},
		{Kind: traces.EventTerm, Word: "dead", Meaning: "the death of a life is certified"},
		{Kind: traces.EventTerm, Word: "alive", Meaning: "a question ends without a certificate"},
		{Kind: traces.EventTerm, Word: "granted", Meaning: "a witness grants a round"},
		{Kind: traces.EventTerm, Word: "condemn", Meaning: "a witness condemns a life, for good"},
		{Kind: traces.EventTerm, Word: "promise", Meaning: "a witness promises a generation"},
		{Kind: traces.EventTerm, Word: "regrid", Meaning: "a witness closes its generation"},
		{Kind: traces.EventTerm, Word: "begin", Meaning: "a life begins"},
		{Kind: traces.EventTerm, Word: "in", Meaning: "the node is in the grid"},
		{Kind: traces.EventTerm, Word: "elected", Meaning: "a majority has promised the generation"},
		{Kind: traces.EventTerm, Word: "said", Meaning: "a witness answers a question: 1 if the life is over"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the input changed nothing, and why"},
	}
}
