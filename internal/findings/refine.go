package main

// refineRows are the findings about published/refine.
func refineRows() []Row {
	return []Row{
		{
			Model: "published/refine/own", Property: "MembershipBound", Class: Flaw,
			Fault: "none",
			What: "Algorithm 3 bounds the clusters that solicit a node and does not count the node's " +
				"own: it is in M+1, against appendix A",
			Correction: "one of the M places is reserved for the node's own cluster",
		},
		{
			Model: "published/refine/three", Property: "Measured", Class: Artefact,
			Fault: "none",
			What: "a client that accepts early reports before it learns of the others, and no second " +
				"report is awaited: a pair is measured from one end only",
			Correction: "the head first lists the members, then each of them measures all others",
		},
		{
			Model: "published/refine/pair@self", Property: "Measured", Class: Artefact,
			Fault:      "none (the head solicits itself)",
			What:       "the head's own client accepts first, has nobody to measure and reports at once",
			Correction: "the head first lists the members, then each of them measures all others",
		},
		{
			Model: "published/refine/three@lenient", Property: "Measured", Class: Interpretation,
			Fault: "none (a missing measurement counts as near)",
			What: "two members report before either learns of the other: they share a cluster " +
				"although they never measured each other",
			Mended:     "`pairs`: the head waits until every pair is measured",
			Correction: "the same; a missing measurement counts as far",
		},
		{
			Model: "published/refine/three", Property: "Whole", Class: Interpretation,
			Fault:      "none",
			What:       "the same run with a missing measurement counted as far: a near node is excluded",
			Mended:     "`pairs`: the head waits until every pair is measured",
			Correction: "the same; a missing measurement counts as far",
		},
		{
			Model: "published/refine/recollect-more@once+pairs", Property: "Measured", Class: Interpretation,
			Fault:      "none",
			What:       "a delayed report for the first cluster is counted for the second",
			Mended:     "links that keep the order",
			Correction: "every message carries its round number",
		},
		{
			Model: "published/refine/recollect-full@pairs", Property: "Agree", Class: Interpretation,
			Fault: "none",
			What: "a member with no free place rejects its own head's next solicitation and stays " +
				"committed to (and advertises) a cluster that no longer exists",
			Mended:     "`former`: the head notifies former members too",
			Correction: "members are confirmed in each round instead of solicited again",
		},
		{
			Model: "published/refine/recollect-other", Property: "Agree", Class: Interpretation,
			Fault: "none",
			What: "a member that is left out of the next cluster receives no message and stays " +
				"committed to the old one",
			Mended:     "`former`: the head notifies former members too",
			Correction: "the head notifies former members",
		},
		{
			Model: "published/refine/freed", Property: "Whole", Class: Artefact,
			Fault: "none",
			What: "B rejects C in favour of A, A filters B out, and no head asks B again: a rejection " +
				"is final",
			Correction: "heads that were rejected or deferred ask again",
		},
		{
			Model: "published/refine/two-suitors@heard", Property: "AskedAgain", Class: Artefact,
			Fault:      "none (a deferral counts as an answer)",
			What:       "a client that deferred is never asked again, though it has room",
			Correction: "a deferral answers this round; the head asks again in its next",
		},
		{
			Model: "published/refine/mutual-early@self+pairs", Property: "Converges", Class: Interpretation,
			Fault: "one premature timeout of WAIT (heads solicit themselves)",
			What: "deadlock: each client waits in MEASURE for its own head, and each head waits for " +
				"the other client, which keeps deferring",
			Mended:     "without `self`: a head does not solicit its own client",
			Correction: "a head does not wait after a deferral; a client defers only if its places are taken",
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
			Model: "published/refine/pair-dup", Property: "NobodyStuck", Class: Silent,
			Fault: "one duplicated message",
			What: "a duplicated solicitation is appended twice: the client both rejects and accepts " +
				"the same suitor, and waits for it forever",
			Correction: "each head has one entry in the suitor list",
		},
		{
			Model: "published/refine/two-suitors-dup", Property: "Whole", Class: Silent,
			Fault: "one duplicated message",
			What: "a duplicated solicitation takes a second place: another suitor is rejected " +
				"although there is room",
			Correction: "each head has one entry in the suitor list",
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
			Correction: "heads watch their members",
		},
	}
}
