package main

// refineRows are the findings about published/refine.
func refineRows() []Row {
	return []Row{
		{
			Model: "published/refine/own", Property: "MembershipBound", Class: Flaw,
			Fault: "none",
			What: "Algorithm 3 bounds the clusters that solicit a node and does not count the node's " +
				"own: with M = N = 2 it is in three clusters, all of them formed, against appendix A",
			Correction: "one of the M places is reserved for the node's own cluster",
		},
		{
			Model: "published/refine/aware", Property: "AwarenessBound", Class: Flaw,
			Fault: "none",
			What: "for the same reason the node must measure more than M(N-1) others (section 5.1.1 " +
				"and appendix A)",
			Correction: "the same",
		},
		{
			Model: "published/refine/triangle@fifo", Property: "NoCircle", Class: Flaw,
			Fault: "three premature timeouts of WAIT",
			What: "three nodes that are near each other wait in a circle: each client has accepted one " +
				"head and defers the other, and each head waits in SOLICIT for the client that " +
				"defers it (`TestTheCircleNeverEnds`)",
			Correction: "a head does not wait after a deferral; a client defers only if its places are taken",
		},
		{
			Model: "published/refine/pair-crash-head", Property: "NobodyStuck", Class: Flaw,
			Fault: "one crash",
			What: "only committed clients detect a crashed head: a client that has accepted waits in " +
				"MEASURE forever",
			Correction: "a client also watches the head that it has accepted",
		},
		{
			Model: "published/refine/pair-crash-client", Property: "NobodyStuck", Class: Flaw,
			Fault:      "one crash",
			What:       "a head has no timeout for a client that does not answer: it waits in SOLICIT forever",
			Correction: "a head gives up a silent client",
		},
		{
			Model: "published/refine/pair-crash-measure", Property: "NobodyStuck", Class: Flaw,
			Fault:      "one crash",
			What:       "a head has no timeout for missing measurements either: it waits in FILTER forever",
			Correction: "a head gives up a silent client",
		},
		{
			Model: "published/refine/pair-crash-client", Property: "Agree", Class: Flaw,
			Fault:      "one crash",
			What:       "a head never detects that a member has crashed",
			Correction: "heads watch their members",
		},
		{
			Model: "published/refine/two-suitors-crash", Property: "Converges", Class: Flaw,
			Fault:      "one crash",
			What:       "a client that waits for a crashed head keeps every other head waiting, too",
			Correction: "a client also watches the head that it has accepted",
		},
		{
			Model: "published/refine/three@lenient", Property: "Measured", Class: Interpretation,
			Fault: "none",
			What: "two members report before either is notified of the other: they share a cluster although " +
				"neither measured the other. The text does not say how a client finds out that its list " +
				"is complete",
			Mended: "without `lenient` a pair that was not measured counts as far; `pairs`: the head " +
				"waits for each pair",
			Correction: "the head first lists the members, then each of them measures all others",
		},
		{
			Model: "published/refine/three", Property: "Whole", Class: Interpretation,
			Fault: "none",
			What:  "the same run where a missing measurement counts as far: a near node is left out",
			Mended: "`lenient`: a pair that was not measured counts as near; `pairs`: the head waits for " +
				"each pair",
			Correction: "the same",
		},
		{
			Model: "published/refine/recollect-other", Property: "Agree", Class: Interpretation,
			Fault: "none",
			What: "a member that is left out of the next cluster receives no message and stays " +
				"committed to the old one",
			Mended:     "`former`: denial messages go to former members too",
			Correction: "the head notifies former members",
		},
		{
			Model: "published/refine/recollect-more@once+pairs", Property: "Measured", Class: Interpretation,
			Fault: "none",
			What: "messages name no round: a delayed report for the first cluster is counted for the " +
				"second",
			Mended:     "links that keep the order of messages",
			Correction: "every message carries its round number",
		},
		{
			Model: "published/refine/pair-drop", Property: "NobodyStuck", Class: Silent,
			Fault:      "one dropped message",
			What:       "a dropped solicitation is never resent: the head waits in SOLICIT forever",
			Correction: "solicitations and answers are resent",
		},
		{
			Model: "published/refine/pair-drop", Property: "Agree", Class: Silent,
			Fault: "one dropped message",
			What: "a dropped confirmation is never resent: the head counts a member that waits in " +
				"MEASURE forever",
			Correction: "confirmations are resent, and answered when they do not match",
		},
		{
			Model: "published/refine/two-suitors-dup", Property: "NobodyStuck", Class: Silent,
			Fault: "one duplicated message",
			What: "a duplicated solicitation is appended twice: the client both rejects and accepts " +
				"the same suitor, and waits for it forever",
			Correction: "each head has one entry in the suitor list",
		},
		{
			Model: "published/refine/two-suitors-dup", Property: "Whole", Class: Silent,
			Fault: "one duplicated message",
			What: "a duplicated solicitation takes a second place: another suitor is rejected although " +
				"there is room",
			Correction: "each head has one entry in the suitor list",
		},
	}
}
