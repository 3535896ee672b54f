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
			Model: "published/reptask/crowded", Property: "NotWorse", Class: Flaw,
			Fault: "none",
			What: "Algorithm 2 moves a job of position 2 to an idle node, by exact numbers. Three " +
				"older jobs reach that node while the job is on its way, and it arrives at position " +
				"3: \"the new average queue position would not be any worse\" is true at one instant " +
				"only",
			Correction: "none: a move is a guess, and nothing rests on it",
		},
		{
			Model: "published/reptask/same-time@requeue+tells", Property: "AllDone", Class: Interpretation,
			Fault: "none",
			What: "two jobs with the same submit time: neither is older, so neither is killed, and " +
				"each holds the node that the other needs",
			Mended: "`order`: the kill rule uses the order of the queues. The property still fails, " +
				"by the run of NeverFewer above",
			Other:      true,
			Correction: "the kill rule uses the order of the queues",
		},
		{
			Model: "published/reptask/killed", Property: "AllDone", Class: Interpretation,
			Fault: "none",
			What: "a task that \"is killed\" disappears: without over-provisioning its job never has " +
				"enough tasks",
			Mended:     "`requeue+tells`: it returns to its queue, and its representative is notified",
			Correction: "a killed task returns to its queue, with its representative's consent",
		},
		{
			Model: "published/reptask/cross@requeue+tells+order+late+pair", Property: "AllDone", Class: Interpretation,
			Fault: "a message overtakes another on one link",
			What: "the next READY of a killed task overtakes the notification of the kill, which then " +
				"cancels that READY: the task holds its node for no job",
			Mended: "links that keep the order of messages. The property still fails, by the run of " +
				"NeverFewer above",
			Other:      true,
			Correction: "votes are numbered",
		},
		{
			Model: "published/reptask/over", Property: "NoOrphan", Class: Interpretation,
			Fault: "none",
			What: "a CANCEL that overtakes its DISPATCH has no effect: the dependent task becomes " +
				"ready for no job and holds its node",
			Mended: "`late`: a task that gets ready later is cancelled too; links that keep the order of " +
				"messages",
			Correction: "READY is answered; the answer is CANCEL if the task is not wanted",
		},
		{
			Model: "published/reptask/move", Property: "AllDone", Class: Interpretation,
			Fault: "none",
			What: "the same when the dependent tasks of a job that moves are recalled: the orphan " +
				"holds the node that the moved job needs",
			Mended:     "`late+pair`; links that keep the order of messages",
			Correction: "every message names its attempt, and READY is answered",
		},
		{
			Model: "published/reptask/move-stale@requeue+tells+order+late+pair", Property: "AllDone", Class: Silent,
			Fault: "a cluster that has shrunk",
			What: "Algorithm 1 moves a job by a residue that \"may be stale\" to a cluster that is too " +
				"small by now; a job moves only once, so it waits forever",
			Correction: "a representative that cannot serve a job refuses it",
		},
		{
			Model: "published/reptask/drop@requeue+tells+order+late+pair", Property: "AllDone", Class: Silent,
			Fault:      "one dropped message",
			What:       "a dropped job is never sent again",
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
			What:       "a duplicated job that arrives after its end starts again",
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
