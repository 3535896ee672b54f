package reptask

import "github.com/canvass-grid/canvass/traces"

// Words explain what the texts of the corrected core say, to readers of pages who do not know the
// protocol.
func Words() []traces.Term {
	return append(commonWords(), []traces.Term{
		{
			Kind:    traces.IdeaTerm,
			Word:    "attempt",
			Meaning: "the owner gives the job to one representative after the other until one has a result; attempts are numbered: A#1@10/2",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "vote",
			Meaning: "a node whose turn it is for a task holds itself free and says so; k votes decide",
		},

		{
			Kind:    traces.CommandTerm,
			Word:    "cluster",
			Meaning: "the nodes on which this one may run the tasks of jobs that it represents",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "submit",
			Meaning: "a client submits a job, of so many nodes, to be tried at more nodes than it needs as far as over says",
		},
		{Kind: traces.CommandTerm, Word: "cancel", Meaning: "the client does not want the job any more"},
		{Kind: traces.CommandTerm, Word: "move", Meaning: "a job that has not begun is to be represented elsewhere"},
		{
			Kind:    traces.CommandTerm,
			Word:    "adopt",
			Meaning: "the owner of that job, which is represented here, has failed: that node is to answer for it",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "leave",
			Meaning: "take nothing more, give back what has not begun, and end what runs",
		},

		{Kind: traces.MessageTerm, Word: "Grant", Meaning: "the owner asks a node to represent an attempt"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Revoke",
			Meaning: "the owner wants the attempt given up: its client has cancelled the job",
		},
		{Kind: traces.MessageTerm, Word: "Dispatch", Meaning: "the representative sends a dependent task to a node"},
		{Kind: traces.MessageTerm, Word: "Ready", Meaning: "a vote: the node holds itself free for the task; it is numbered"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Withdraw",
			Meaning: "the node wants its vote back: an older job has come to it, or it leaves",
		},
		{Kind: traces.MessageTerm, Word: "Withdrawn", Meaning: "the representative has struck the vote out"},
		{Kind: traces.MessageTerm, Word: "Start", Meaning: "k votes are in: run"},
		{Kind: traces.MessageTerm, Word: "Cancel", Meaning: "the task is not needed any more"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Gone",
			Meaning: "the sender has nothing of that attempt any more, and takes nothing of it",
		},
		{Kind: traces.MessageTerm, Word: "Finish", Meaning: "the task has run to its end"},
		{Kind: traces.MessageTerm, Word: "Result", Meaning: "all k tasks have run to their end: the job is done"},
		{Kind: traces.MessageTerm, Word: "GiveUp", Meaning: "the representative gives the attempt up, and says why"},
		{Kind: traces.MessageTerm, Word: "Settled", Meaning: "the owner knows that the attempt is over: forget it"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Adopt",
			Meaning: "the representative of a job whose owner is silent asks a node to answer for it, first that owner itself",
		},
		{Kind: traces.MessageTerm, Word: "Decline", Meaning: "the node that was asked cannot answer for that job"},
		{Kind: traces.MessageTerm, Word: "Beat", Meaning: "a sign of life, with what is ahead of the tasks that wait"},

		{Kind: traces.TimerTerm, Word: "run", Meaning: "the task’s process ends"},
		{Kind: traces.TimerTerm, Word: "resend", Meaning: "what was not answered is sent again"},
		{Kind: traces.TimerTerm, Word: "beat", Meaning: "it is time for a sign of life"},
		{
			Kind:    traces.TimerTerm,
			Word:    "lease",
			Meaning: "that node was silent for so long that it is taken for failed; what it may run still counts as running",
		},
		{
			Kind:    traces.TimerTerm,
			Word:    "regrant",
			Meaning: "that node has been silent for so long that it holds nothing of this one any more, though it may live",
		},

		{Kind: traces.EventTerm, Word: "submit", Meaning: "the node owns a new job"},
		{Kind: traces.EventTerm, Word: "grant", Meaning: "the owner begins an attempt"},
		{Kind: traces.EventTerm, Word: "part", Meaning: "the attempt is over, and its representative is to forget it"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the owner has the result"},
		{Kind: traces.EventTerm, Word: "cancelled", Meaning: "the owner has done with a job that was cancelled"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "nobody could take the job"},
		{Kind: traces.EventTerm, Word: "adopt", Meaning: "the node answers for the job from now on"},
		{Kind: traces.EventTerm, Word: "orphan", Meaning: "the owner of a job that is represented here has failed"},
		{Kind: traces.EventTerm, Word: "represent", Meaning: "the node represents an attempt"},
		{Kind: traces.EventTerm, Word: "refuse", Meaning: "the node cannot represent the attempt"},
		{Kind: traces.EventTerm, Word: "decide", Meaning: "k votes are in, and the tasks are told to start"},
		{Kind: traces.EventTerm, Word: "move", Meaning: "a job that has not begun is given away"},
		{Kind: traces.EventTerm, Word: "resign", Meaning: "the representative gives the attempt up"},
		{Kind: traces.EventTerm, Word: "settled", Meaning: "the node does not represent the attempt any more"},
		{Kind: traces.EventTerm, Word: "queue", Meaning: "a dependent task is in the queue"},
		{Kind: traces.EventTerm, Word: "ready", Meaning: "a dependent task’s turn has come, and the node votes"},
		{
			Kind:    traces.EventTerm,
			Word:    "withdraw",
			Meaning: "the node wants its vote back, for an older job or since it leaves",
		},
		{Kind: traces.EventTerm, Word: "requeue", Meaning: "the vote is back, and the task in the queue again"},
		{Kind: traces.EventTerm, Word: "start", Meaning: "the task runs from now on"},
		{Kind: traces.EventTerm, Word: "finish", Meaning: "the task has run to its end"},
		{Kind: traces.EventTerm, Word: "cancel", Meaning: "the task is dropped before it ran"},
		{Kind: traces.EventTerm, Word: "stop", Meaning: "the task is dropped while it ran"},
		{Kind: traces.EventTerm, Word: "forget", Meaning: "the task is dropped after its end"},
		{Kind: traces.EventTerm, Word: "expired", Meaning: "that node is taken for failed"},
		{Kind: traces.EventTerm, Word: "vacant", Meaning: "that node holds nothing of this one any more"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node makes nothing of what it got"},

		{
			Kind:    traces.StateTerm,
			Word:    "owns",
			Meaning: "a job that the node answers for, its present attempt, and what has become of it",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "represents",
			Meaning: "an attempt that the node represents, and the nodes that have its tasks",
		},
		{Kind: traces.StateTerm, Word: "hosts", Meaning: "a dependent task in the node’s queue"},
		{
			Kind:    traces.StateTerm,
			Word:    "members{}",
			Meaning: "the nodes of an attempt: how far each is, its latest vote, the one that was struck out, and what is ahead of its task",
		},
		{Kind: traces.StateTerm, Word: "over before", Meaning: "attempts of that job below this number are over here"},
	}...)
}

// publishedWords explain those of the printed core.
func publishedWords() []traces.Term {
	return append(commonWords(), []traces.Term{
		{
			Kind:    traces.CommandTerm,
			Word:    "submit",
			Meaning: "a client submits a job, of so many nodes, which is routed to where it will be represented",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "dlb",
			Meaning: "the period of Algorithm 1 is over: a job that has not begun may move to a neighbour",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "qb",
			Meaning: "the period of Algorithm 2 is over: a job that has not begun may move to a neighbour",
		},

		{Kind: traces.MessageTerm, Word: "Route", Meaning: "the job is to be represented by the receiver"},
		{Kind: traces.MessageTerm, Word: "Dispatch", Meaning: "the representative sends a dependent task to a node"},
		{Kind: traces.MessageTerm, Word: "IsReady", Meaning: "the task is at the head of the node’s queue"},
		{Kind: traces.MessageTerm, Word: "Begin", Meaning: "enough tasks are ready: run"},
		{Kind: traces.MessageTerm, Word: "Cancel", Meaning: "the task is not needed any more"},
		{Kind: traces.MessageTerm, Word: "Killed", Meaning: "a task that was ready had to make room for an older one"},
		{Kind: traces.MessageTerm, Word: "Finished", Meaning: "the task has run to its end"},
		{Kind: traces.MessageTerm, Word: "Result", Meaning: "all tasks have run to their end: the job is done"},

		{Kind: traces.TimerTerm, Word: "run", Meaning: "the task’s process ends"},

		{Kind: traces.EventTerm, Word: "submit", Meaning: "the owner takes a job on"},
		{Kind: traces.EventTerm, Word: "grant", Meaning: "the owner sends the job on its way"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the owner has the results"},
		{Kind: traces.EventTerm, Word: "move", Meaning: "a job that has not begun is given away"},
		{Kind: traces.EventTerm, Word: "ready", Meaning: "a task is at the head of its queue"},
		{
			Kind:    traces.EventTerm,
			Word:    "requeue",
			Meaning: "a task that was ready is killed for an older one, and queued again",
		},
		{Kind: traces.EventTerm, Word: "start", Meaning: "a node begins to run a task"},
		{Kind: traces.EventTerm, Word: "finish", Meaning: "the task has run to its end"},
		{Kind: traces.EventTerm, Word: "cancel", Meaning: "a task is removed from its queue"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node makes nothing of what it got"},
	}...)
}

// commonWords explain what both are about.
func commonWords() []traces.Term {
	return []traces.Term{
		{
			Kind:    traces.IdeaTerm,
			Word:    "job",
			Meaning: "it needs k nodes at the same time; A#1@10 is the first job that was submitted at A; by the number behind @ its client says how old it is",
		},
		{Kind: traces.IdeaTerm, Word: "owner", Meaning: "the node that answers for a job to its client"},
		{
			Kind:    traces.IdeaTerm,
			Word:    "representative task",
			Meaning: "it finds k nodes for a job and has them start together",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "dependent task",
			Meaning: "what runs on one of these nodes; until then it waits in the node’s queue, older jobs before newer ones",
		},
	}
}
