package main

// canRows are the findings about published/can.
func canRows() []Row {
	return []Row{
		{
			Model: "published/can/row4/leave-leave", Property: "Routable", Class: Flaw,
			Fault: "none",
			What: "figure 6.4 happens despite the protocol: the second leave starts before updates report the first one " +
				"to its taker. The text has a taker use \"neighbor information delivered from the former owner\"; " +
				"Commit delivers γ and i alone, and a leaver that handed its list of neighbours over would prevent this",
			Correction: "Commit carries the resulting records; versions are compared",
		},
		{
			Model:    "published/can/row3/join-crash-early@perchange+except+clears+alone",
			Property: "NoOverlap", Class: Flaw,
			Fault: "one crash, one premature timeout",
			What: "the owner crashes during a split. Its taker finds that before the Commit arrives, and takes the " +
				"joiner's half too",
			Correction: "the joiner is informed first, and is asked when the owner fails",
		},
		{
			Model:    "published/can/row3/leave-crash-early@perchange+except+clears+alone",
			Property: "NobodyBusy", Class: Flaw,
			Fault:      "one crash, one premature timeout",
			What:       "a Propose that arrives after its proposer was found to have crashed leaves its receiver BUSY",
			Correction: "a Propose from a failed node is refused; promises to failed nodes are resolved",
		},
		{
			Model: "published/can/row3/leave-early", Property: "CancelledStays", Class: Interpretation,
			Fault: "one premature timeout",
			What: "a late YES turns a round that its proposer has cancelled into a committed one. Algorithm 6 asks for " +
				"the instance number alone, not whether the proposer is still BUSY. The map does not suffer: no zone " +
				"overlaps another, and every point stays routable",
			Mended:     "`clears`: cancel(γ) also discards node_L[L].γ",
			Correction: "replies count only during their round; a decision is final",
		},
		{
			Model: "published/can/row1/join", Property: "NobodyBusy", Class: Interpretation,
			Fault: "none",
			What: "a CAN of one node admits no node. Only an answer leads to CommitPhase, and there is no node to give " +
				"one; the request stays open, and every other join is rejected",
			Mended:     "`alone`: \"when all neighbors have responded\" is true at once if there are none",
			Correction: "an empty neighbourhood commits at once; the last node may not leave",
		},
		{
			Model: "published/can/row3/join-leave-owner", Property: "NoOverlap", Class: Interpretation,
			Fault: "none",
			What: "the owner's next Propose overtakes its Commit, which is then of an older instance and void: no " +
				"neighbour is notified of the split",
			Mended:     "links that keep the order; chapter 6 says of updates that they \"can be received in any order\"",
			Correction: "a node starts no round before its last Commit is acknowledged",
		},
		{
			Model: "published/can/row2/join-leave@perchange+except+clears+alone", Property: "NoOverlap", Class: Interpretation,
			Fault: "none",
			What: "the leaver's Propose overtakes its Commit of the split. Its taker has no record of the joiner, and " +
				"takes the joiner's half too",
			Mended:     "links that keep the order, as above",
			Correction: "a leaver stays until all neighbours have acknowledged; a takeover is a round too",
		},
		{
			Model: "published/can/row3/join-drop@clears", Property: "NobodyBusy", Class: Silent,
			Fault: "one dropped message",
			What: "a dropped Commit is never resent: its receiver stays BUSY. With `perchange` the proposer's next " +
				"update frees it, but the change itself comes only by updates",
			Correction: "Commit is acknowledged and resent",
		},
		{
			Model: "published/can/row3/join-dup@clears", Property: "CancelledStays", Class: Silent,
			Fault:      "one duplicated message",
			What:       "a duplicated Propose is answered NO, and the NO cancels the round that the first YES committed",
			Correction: "replies count only during their round; a decision is final",
		},
	}
}
