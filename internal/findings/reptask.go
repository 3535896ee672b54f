package main

// reptaskRows are the findings about published/reptask.
func reptaskRows() []Row {
	return []Row{
		{
			Model: "published/reptask/cross@requeue+tells+order+late+pair", Property: "NeverFewer", Class: Flaw,
			Fault: "none",
			What: "the notification of a kill crosses BEGIN in the network: only k-1 tasks compute, " +
				"and the job never ends",
			Correction: "READY is a vote: the node asks for it back and stays reserved until the " +
				"representative answers",
		},
		{
			Model: "published/reptask/cross@requeue+tells+order+late+pair", Property: "AllDone", Class: Flaw,
			Fault: "none",
			What: "the notification of a kill overtakes nothing but arrives after the next READY and " +
				"cancels that one: the task holds its node for no job",
			Correction: "votes are numbered",
		},
		{
			Model: "published/reptask/same-time@requeue+tells", Property: "AllDone", Class: Interpretation,
			Fault: "none",
			What: "two jobs with the same submit time: neither is older, so neither is killed, and each " +
				"holds the node that the other needs",
			Mended: "`order`: \"older\" is what the queues are sorted by; then the property fails as in the " +
				"rows of `cross`", Other: true,
			Correction: "the kill rule uses the order of the queues",
		},
		{
			Model: "published/reptask/tie@requeue+tells+order+late+pair", Property: "AllDone", Class: Artefact,
			Fault:      "none",
			What:       "the same deadlock with equal hashes: the queues differ from node to node",
			Correction: "the order is total: submit time, hash, owner, number",
		},
		{
			Model: "published/reptask/over", Property: "NoOrphan", Class: Interpretation,
			Fault: "none",
			What: "a CANCEL that overtakes its DISPATCH has no effect: the dependent task becomes " +
				"ready for no job and holds its node",
			Mended: "`late`: a CANCEL holds for tasks that become ready later; or links that keep the " +
				"order",
			Correction: "READY is answered; the answer is CANCEL if the task is not wanted",
		},
		{
			Model: "published/reptask/move@pair", Property: "AllDone", Class: Interpretation,
			Fault: "none",
			What:  "the same during a move: the orphan holds the node that the moved job needs",
			Mended: "`late`: a CANCEL holds for tasks that become ready later; or links that keep the " +
				"order",
			Correction: "READY is answered; the answer is CANCEL if the task is not wanted",
		},
		{
			Model: "published/reptask/move", Property: "OneEpochRuns", Class: Artefact,
			Fault:      "none",
			What:       "after a move a host applies the new representative's BEGIN to the task of the old one",
			Correction: "every message names its attempt",
		},
		{
			Model: "published/reptask/move", Property: "NeverFewer", Class: Artefact,
			Fault: "none",
			What: "after a move the old representative's CANCEL removes the task of the new one: only " +
				"k-1 tasks compute",
			Correction: "every message names its attempt",
		},
		{
			Model: "published/reptask/move-stale@requeue+tells+order+late+pair", Property: "AllDone", Class: Silent,
			Fault: "stale residue",
			What: "Algorithm 1 moves a job to a cluster that has become too small; a job moves only " +
				"once, so it waits forever",
			Correction: "a representative that cannot serve a job refuses it",
		},
		{
			Model: "published/reptask/small@requeue+tells+order+late+pair", Property: "AllDone", Class: Silent,
			Fault: "stale routing",
			What: "no node compares an arriving job with its cluster: a job of two tasks waits in a " +
				"cluster of one node",
			Correction: "a representative that cannot serve a job refuses it",
		},
		{
			Model: "published/reptask/drop@requeue+tells+order+late+pair", Property: "AllDone", Class: Silent,
			Fault:      "one dropped message",
			What:       "a dropped grant is never resent",
			Correction: "the owner resends grants until it has a result",
		},
		{
			Model: "published/reptask/drop@requeue+tells+order+late+pair", Property: "NoOrphan", Class: Silent,
			Fault: "one dropped message",
			What: "a dropped DISPATCH is never resent: the other dependent task stays ready forever " +
				"and holds its node",
			Correction: "DISPATCH is resent until there is a vote",
		},
		{
			Model: "published/reptask/drop@requeue+tells+order+late+pair", Property: "NeverFewer", Class: Silent,
			Fault:      "one dropped message",
			What:       "a dropped BEGIN is never resent: only k-1 tasks compute",
			Correction: "BEGIN is resent until the dependent task has finished",
		},
		{
			Model: "published/reptask/dup@requeue+tells+order+late+pair", Property: "NoOrphan", Class: Silent,
			Fault: "one duplicated message",
			What: "a duplicated DISPATCH creates a second task of the same job, which becomes ready " +
				"for no job",
			Correction: "a host accepts each attempt once",
		},
		{
			Model: "published/reptask/dup@requeue+tells+order+late+pair", Property: "NeverMore", Class: Silent,
			Fault:      "one duplicated message",
			What:       "a duplicated grant that arrives after the job's end starts it again",
			Correction: "the owner numbers attempts",
		},
		{
			Model: "published/reptask/crash-host@requeue+tells+order+late+pair", Property: "AllDone", Class: Silent,
			Fault:      "one crash",
			What:       "no node detects that the host of a dependent task has crashed: the job never ends",
			Correction: "representatives watch hosts and give the attempt up",
		},
		{
			Model: "published/reptask/crash-representative@requeue+tells+order+late+pair", Property: "NoOrphan", Class: Silent,
			Fault: "one crash",
			What: "no node detects that a representative has crashed: its dependent tasks hold their " +
				"nodes forever",
			Correction: "leases; the owner grants the job again",
		},
	}
}
