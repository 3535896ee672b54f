package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/traces"
)

// Words explain the terms, messages, timers and events of protocol/reptask to readers of a page.
func Words() []traces.Term {
	return slices.Concat(commonWords(), correctedTerms(), correctedEvents())
}

// publishedWords explain the published protocol.
func publishedWords() []traces.Term { return slices.Concat(commonWords(), onlyPublishedWords()) }

// correctedTerms are the ideas, commands, messages and timers of the corrected protocol.
func correctedTerms() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "attempt", Meaning: "the owner gives the job to one representative after " +
			"another until one returns a result; attempts are numbered: A#1@10/2"},
		{Kind: traces.IdeaTerm, Word: "vote", Meaning: "a node whose turn it is for a task stays free and notifies " +
			"the representative; k votes decide"},

		{Kind: traces.CommandTerm, Word: "cluster", Meaning: "the nodes that may run the tasks of jobs that this " +
			"node represents"},
		{Kind: traces.CommandTerm, Word: "submit", Meaning: "a client submits a job for k nodes; over says how many " +
			"more nodes it is dispatched to"},
		{Kind: traces.CommandTerm, Word: "cancel", Meaning: "the client no longer wants the job"},
		{Kind: traces.CommandTerm, Word: "move", Meaning: "another node is to represent a job that has not begun"},
		{Kind: traces.CommandTerm, Word: "adopt", Meaning: "the owner of a job that this node represents has failed: " +
			"that node is to own it"},
		{Kind: traces.CommandTerm, Word: "cordon", Meaning: "accept no more tasks, and return tasks that have not begun"},
		{Kind: traces.CommandTerm, Word: "uncordon", Meaning: "accept tasks again"},
		{Kind: traces.CommandTerm, Word: "leave", Meaning: "accept nothing more, return what has not begun, and " +
			"finish what runs"},

		{Kind: traces.MessageTerm, Word: "Grant", Meaning: "the owner asks a node to represent an attempt"},
		{Kind: traces.MessageTerm, Word: "Revoke", Meaning: "the owner ends the attempt, since its client has " +
			"cancelled the job"},
		{Kind: traces.MessageTerm, Word: "Dispatch", Meaning: "the representative sends a dependent task to a node"},
		{Kind: traces.MessageTerm, Word: "Ready", Meaning: "a numbered vote: the node stays free for the task"},
		{Kind: traces.MessageTerm, Word: "Withdraw", Meaning: "the node wants its vote back, for an older job or " +
			"because it leaves"},
		{Kind: traces.MessageTerm, Word: "Withdrawn", Meaning: "the representative has removed the vote"},
		{Kind: traces.MessageTerm, Word: "Start", Meaning: "k votes have arrived: run"},
		{Kind: traces.MessageTerm, Word: "Cancel", Meaning: "the task is no longer needed"},
		{Kind: traces.MessageTerm, Word: "Unable", Meaning: "as Gone, and the sender takes no tasks now"},
		{Kind: traces.MessageTerm, Word: "Gone", Meaning: "the sender holds nothing of that attempt and accepts " +
			"nothing of it"},
		{Kind: traces.MessageTerm, Word: "Finish", Meaning: "the task has run to its end"},
		{Kind: traces.MessageTerm, Word: "Result", Meaning: "all k tasks have run to their end: the job is done"},
		{Kind: traces.MessageTerm, Word: "GiveUp", Meaning: "the representative ends the attempt, with the reason"},
		{Kind: traces.MessageTerm, Word: "Settled", Meaning: "the owner has recorded that the attempt is over: forget it"},
		{Kind: traces.MessageTerm, Word: "Adopt", Meaning: "the representative of a job whose owner is silent asks a " +
			"node to own it, the silent owner first"},
		{Kind: traces.MessageTerm, Word: "Decline", Meaning: "the node cannot own that job"},
		{Kind: traces.MessageTerm, Word: "Beat", Meaning: "a heartbeat, with the jobs that are ahead of the waiting " +
			"tasks"},

		{Kind: traces.TimerTerm, Word: "run", Meaning: "the task’s process ends"},
		{Kind: traces.TimerTerm, Word: "resend", Meaning: "unanswered messages are sent again"},
		{Kind: traces.TimerTerm, Word: "beat", Meaning: "it is time for a heartbeat"},
		{Kind: traces.TimerTerm, Word: "lease", Meaning: "that node was silent for so long that it is suspected; its " +
			"tasks still count as running"},
		{Kind: traces.TimerTerm, Word: "regrant", Meaning: "that node was silent for so long that it holds nothing " +
			"of this node any more, even if it is alive"},
	}
}

// correctedEvents are the events of the corrected protocol, and the words of its states.
func correctedEvents() []traces.Term {
	return []traces.Term{
		{Kind: traces.EventTerm, Word: "submit", Meaning: "the node owns a new job"},
		{Kind: traces.EventTerm, Word: "grant", Meaning: "the owner begins an attempt"},
		{Kind: traces.EventTerm, Word: "part", Meaning: "the attempt is over, and its representative is to forget it"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the owner accepts the result"},
		{Kind: traces.EventTerm, Word: "cancelled", Meaning: "the owner ends a cancelled job"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "no cluster can take the job"},
		{Kind: traces.EventTerm, Word: "adopt", Meaning: "the node owns the job from now on"},
		{Kind: traces.EventTerm, Word: "orphan", Meaning: "the owner of a job that this node represents has failed"},
		{Kind: traces.EventTerm, Word: "represent", Meaning: "the node represents an attempt"},
		{Kind: traces.EventTerm, Word: "refuse", Meaning: "the node cannot represent the attempt"},
		{Kind: traces.EventTerm, Word: "decide", Meaning: "k votes have arrived, and the tasks are started"},
		{Kind: traces.EventTerm, Word: "move", Meaning: "a job that has not begun goes to another representative"},
		{Kind: traces.EventTerm, Word: "revoke", Meaning: "the representative is notified that the job is cancelled"},
		{Kind: traces.EventTerm, Word: "resign", Meaning: "the representative gives the attempt up"},
		{Kind: traces.EventTerm, Word: "settled", Meaning: "the node no longer represents the attempt"},
		{Kind: traces.EventTerm, Word: "queue", Meaning: "a dependent task is in the queue"},
		{Kind: traces.EventTerm, Word: "ready", Meaning: "it is a dependent task’s turn, and the node votes"},
		{Kind: traces.EventTerm, Word: "withdraw", Meaning: "the node wants its vote back, for an older job or " +
			"because it leaves"},
		{Kind: traces.EventTerm, Word: "requeue", Meaning: "the vote is back, and the task is in the queue again"},
		{Kind: traces.EventTerm, Word: "start", Meaning: "the task starts to run"},
		{Kind: traces.EventTerm, Word: "finish", Meaning: "the task has run to its end"},
		{Kind: traces.EventTerm, Word: "cancel", Meaning: "the task is dropped before it ran"},
		{Kind: traces.EventTerm, Word: "stop", Meaning: "the task is dropped while it ran"},
		{Kind: traces.EventTerm, Word: "forget", Meaning: "the task is dropped after its end"},
		{Kind: traces.EventTerm, Word: "expired", Meaning: "that node is suspected"},
		{Kind: traces.EventTerm, Word: "vacant", Meaning: "that node holds nothing of this node any more"},
		{Kind: traces.EventTerm, Word: "full", Meaning: "a limit of the configuration is met"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},

		{Kind: traces.StateTerm, Word: "owns", Meaning: "a job that the node owns, its present attempt, and its state"},
		{Kind: traces.StateTerm, Word: "represents", Meaning: "an attempt that the node represents, and the nodes " +
			"that have its tasks"},
		{Kind: traces.StateTerm, Word: "hosts", Meaning: "a dependent task in the node’s queue"},
		{Kind: traces.StateTerm, Word: "members{}", Meaning: "the nodes of an attempt: the state of each, its latest " +
			"vote, the removed vote, and the jobs ahead of its task"},
		{Kind: traces.StateTerm, Word: "over before", Meaning: "attempts of that job below this number are over here"},
	}
}

// onlyPublishedWords are those of the published protocol only.
func onlyPublishedWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.CommandTerm, Word: "submit", Meaning: "a client submits a job for k nodes, which is routed to " +
			"its representative"},
		{Kind: traces.CommandTerm, Word: "dlb", Meaning: "the period of Algorithm 1 is over: a job that has not " +
			"begun may move to a neighbour"},
		{Kind: traces.CommandTerm, Word: "qb", Meaning: "the period of Algorithm 2 is over: a job that has not begun " +
			"may move to a neighbour"},

		{Kind: traces.MessageTerm, Word: "Route", Meaning: "the receiver is to represent the job"},
		{Kind: traces.MessageTerm, Word: "Dispatch", Meaning: "the representative sends a dependent task to a node"},
		{Kind: traces.MessageTerm, Word: "IsReady", Meaning: "the task is at the head of the node’s queue"},
		{Kind: traces.MessageTerm, Word: "Begin", Meaning: "enough tasks are ready: run"},
		{Kind: traces.MessageTerm, Word: "Cancel", Meaning: "the task is no longer needed"},
		{Kind: traces.MessageTerm, Word: "Killed", Meaning: "a task that was ready has made room for an older one"},
		{Kind: traces.MessageTerm, Word: "Recall", Meaning: "the job is about to move: leave the queue"},
		{Kind: traces.MessageTerm, Word: "Recalled", Meaning: "the task has left the queue"},
		{Kind: traces.MessageTerm, Word: "Finished", Meaning: "the task has run to its end"},
		{Kind: traces.MessageTerm, Word: "Result", Meaning: "all tasks have run to their end: the job is done"},

		{Kind: traces.TimerTerm, Word: "run", Meaning: "the task’s process ends"},

		{Kind: traces.EventTerm, Word: "submit", Meaning: "the owner accepts a job"},
		{Kind: traces.EventTerm, Word: "grant", Meaning: "the owner routes the job"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the owner has the results"},
		{Kind: traces.EventTerm, Word: "move", Meaning: "a job that has not begun goes to another representative"},
		{Kind: traces.EventTerm, Word: "queue", Meaning: "a node takes a task into its queue"},
		{Kind: traces.EventTerm, Word: "ready", Meaning: "a task is at the head of its queue"},
		{Kind: traces.EventTerm, Word: "requeue", Meaning: "a task that was ready is killed for an older one and " +
			"queued again"},
		{Kind: traces.EventTerm, Word: "start", Meaning: "a node begins to run a task"},
		{Kind: traces.EventTerm, Word: "finish", Meaning: "the task has run to its end"},
		{Kind: traces.EventTerm, Word: "cancel", Meaning: "a task is removed from its queue"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},
	}
}

// commonWords are those of the corrected protocol and of the published one.
func commonWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "job", Meaning: "it needs k nodes at the same time; A#1@10 is the first job " +
			"that was submitted at A; the number after @ is its submission time, as the client reports it"},
		{Kind: traces.IdeaTerm, Word: "owner", Meaning: "the node that is responsible for a job to its client"},
		{Kind: traces.IdeaTerm, Word: "representative task", Meaning: "finds k nodes for a job and starts it on all " +
			"of them together"},
		{Kind: traces.IdeaTerm, Word: "dependent task", Meaning: "runs on one of these nodes; before that it waits " +
			"in the node’s queue, older jobs before newer ones"},
	}
}
