package refine

import "github.com/canvass-grid/canvass/traces"

// Words explain what the texts of the corrected core say, to readers of pages who do not know the
// protocol.
func Words() []traces.Term {
	return append(commonWords(), []traces.Term{
		{
			Kind:    traces.CommandTerm,
			Word:    "add",
			Meaning: "these nodes may be near: they are candidates for the node’s own cluster",
		},
		{Kind: traces.CommandTerm, Word: "drop", Meaning: "these nodes are no candidates any more"},
		{Kind: traces.CommandTerm, Word: "measure", Meaning: "latencies may have changed: measure the members again"},
		{Kind: traces.CommandTerm, Word: "leave", Meaning: "give up the cluster and all memberships, and go"},

		{
			Kind:    traces.MessageTerm,
			Word:    "Solicitation",
			Meaning: "a head asks a client to join, and says how large its cluster can become (ceiling), and how many have accepted (sure)",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Update",
			Meaning: "a head tells a client that has not answered yet how its prospects have changed",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Accept",
			Meaning: "the head can count on the client, which keeps a place for it; repeated, it is a sign of life",
		},
		{Kind: traces.MessageTerm, Word: "Deny", Meaning: "the client is in as many clusters as it may be"},
		{Kind: traces.MessageTerm, Word: "Defer", Meaning: "not in this round: the head may ask again"},
		{Kind: traces.MessageTerm, Word: "List", Meaning: "all who have accepted: they are to measure each other"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Report",
			Meaning: "the latencies that the client has measured; ? has not come in yet",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Confirm",
			Meaning: "the client is in the cluster, and these are its members; repeated, it is a sign of life",
		},
		{Kind: traces.MessageTerm, Word: "Dismiss", Meaning: "the client is not in the cluster, or not any more"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Leave",
			Meaning: "the client holds no place in the head’s cluster, though the head counts it in",
		},
		{Kind: traces.MessageTerm, Word: "Alive", Meaning: "a sign of life of who has nothing to repeat"},

		{Kind: traces.TimerTerm, Word: "collect", Meaning: "no more candidates have come for some time: the round begins"},
		{Kind: traces.TimerTerm, Word: "wait", Meaning: "no more suitors have come for some time: the client answers"},
		{Kind: traces.TimerTerm, Word: "measure", Meaning: "measurements are overdue: who is not measured yet counts as far"},
		{Kind: traces.TimerTerm, Word: "keep", Meaning: "it is time to repeat what each of the others may have missed"},
		{Kind: traces.TimerTerm, Word: "retry", Meaning: "it is time to ask those again who put the head off"},
		{
			Kind:    traces.TimerTerm,
			Word:    "missed",
			Meaning: "that node has given no sign of life for so long that it is taken for failed",
		},

		{Kind: traces.EventTerm, Word: "round", Meaning: "the node begins a round as a head"},
		{Kind: traces.EventTerm, Word: "steady", Meaning: "the head has found its cluster"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the client accepts that head"},
		{Kind: traces.EventTerm, Word: "deny", Meaning: "the client turns that head down"},
		{Kind: traces.EventTerm, Word: "defer", Meaning: "the client puts that head off"},
		{Kind: traces.EventTerm, Word: "measured", Meaning: "a measurement came in: to that node, in microseconds"},
		{Kind: traces.EventTerm, Word: "committed", Meaning: "the client is in that head’s cluster"},
		{Kind: traces.EventTerm, Word: "released", Meaning: "the client is not in that head’s cluster any more"},
		{Kind: traces.EventTerm, Word: "removed", Meaning: "that member is gone from the node’s own cluster"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "the node takes that other one for failed"},
		{Kind: traces.EventTerm, Word: "left", Meaning: "the node has left"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node makes nothing of what it got"},

		{
			Kind:    traces.StateTerm,
			Word:    "asked",
			Meaning: "a candidate has not answered yet; fresh: it has not been asked; accepted, denied, deferred: what it said; filtered, member, dropped: what became of it",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "at",
			Meaning: "a head that the client deals with: suitor, promised (accepted) or committed (in its cluster), and its round",
		},
		{Kind: traces.StateTerm, Word: "ceiling", Meaning: "the largest size that the cluster can still reach in this round"},
		{Kind: traces.StateTerm, Word: "sure", Meaning: "so many have accepted, the head included"},
	}...)
}

// publishedWords explain those of the printed core.
func publishedWords() []traces.Term {
	return append(commonWords(), []traces.Term{
		{
			Kind:    traces.CommandTerm,
			Word:    "near",
			Meaning: "all nodes that may be near: the candidates for the node’s own cluster",
		},

		{Kind: traces.MessageTerm, Word: "Solicit", Meaning: "a head asks for a client, and says how many it seeks"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Update",
			Meaning: "a head that has asked says how many it seeks, who has accepted and how many have denied",
		},
		{Kind: traces.MessageTerm, Word: "Accept", Meaning: "the client wants to be in this cluster"},
		{Kind: traces.MessageTerm, Word: "Reject", Meaning: "the client does not want to be in this cluster"},
		{Kind: traces.MessageTerm, Word: "Defer", Meaning: "not now: the head has to wait for another answer"},
		{Kind: traces.MessageTerm, Word: "Report", Meaning: "the latencies that the client has measured"},
		{Kind: traces.MessageTerm, Word: "Confirm", Meaning: "the client is in the cluster, and these are its members"},
		{Kind: traces.MessageTerm, Word: "Deny", Meaning: "the head tells a client that it is not in the cluster"},

		{Kind: traces.TimerTerm, Word: "collect", Meaning: "no more candidates have come for some time: the round begins"},
		{Kind: traces.TimerTerm, Word: "wait", Meaning: "no more suitors have come for some time: the client answers"},
		{Kind: traces.TimerTerm, Word: "deferred", Meaning: "it is later, as the head was told: it may be answered now"},
		{
			Kind:    traces.TimerTerm,
			Word:    "fault",
			Meaning: "that head has said nothing for so long that it is taken for failed",
		},

		{Kind: traces.EventTerm, Word: "round", Meaning: "the head has asked its candidates"},
		{Kind: traces.EventTerm, Word: "steady", Meaning: "the head has found its cluster"},
		{Kind: traces.EventTerm, Word: "measured", Meaning: "a measurement came in: to that node, in microseconds"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the client accepts that head"},
		{Kind: traces.EventTerm, Word: "commit", Meaning: "the client is in that head’s cluster"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "the client takes that head for failed"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node makes nothing of what it got"},
	}...)
}

// commonWords explain what both are about.
func commonWords() []traces.Term {
	return []traces.Term{
		{
			Kind:    traces.IdeaTerm,
			Word:    "cluster",
			Meaning: "nodes that have measured each other and are near, so that the parts of a parallel job can run on them; each node is the head of one of its own, and client of others",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "head",
			Meaning: "who makes a cluster: it asks candidates, has those who accept measure each other, and keeps the largest set of which all are near each other",
		},
		{Kind: traces.IdeaTerm, Word: "suitor", Meaning: "a head that has asked a client and has no answer yet"},
		{Kind: traces.IdeaTerm, Word: "round", Meaning: "one such attempt of a head; rounds are numbered"},
		{
			Kind:    traces.IdeaTerm,
			Word:    "membership",
			Meaning: "a node is in so many clusters at most, and a cluster has so many members at most",
		},

		{
			Kind:    traces.StateTerm,
			Word:    "IDLE",
			Meaning: "of a head: nothing to do; of a client: it takes no part, not yet or no more",
		},
		{Kind: traces.StateTerm, Word: "COLLECT", Meaning: "of a head: candidates come in"},
		{Kind: traces.StateTerm, Word: "SOLICIT", Meaning: "of a head: it has asked, and waits for answers"},
		{
			Kind:    traces.StateTerm,
			Word:    "FILTER",
			Meaning: "of a head: it waits for measurements, then finds the largest set of nodes near each other",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "WAIT",
			Meaning: "of a client: it takes suitors in, and lets more come before it answers",
		},
		{Kind: traces.StateTerm, Word: "MEASURE", Meaning: "of a client: it has accepted, and waits to be confirmed"},
		{Kind: traces.StateTerm, Word: "STEADY", Meaning: "nothing is under way"},
	}
}
