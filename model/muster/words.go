package muster

import "github.com/canvass-grid/canvass/traces"

// Words explain the terms, messages, timers and events of protocol/muster to readers of a page.
func Words() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "attempt", Meaning: " " +
			"one try to run a parallel job: k hosts, and the node that represents " +
			"it"},
		{Kind: traces.IdeaTerm, Word: "rank", Meaning: " " +
			"the number of a task of the attempt, from 0 to k-1: the place of its " +
			"host in their order"},
		{Kind: traces.IdeaTerm, Word: "permit", Meaning: " " +
			"the custodian’s consent to start; without it no process starts"},
		{Kind: traces.IdeaTerm, Word: "outcome", Meaning: " " +
			"the statuses of all ranks; it is safe once the custodian has it"},
		{Kind: traces.MessageTerm, Word: "Here", Meaning: " " +
			"the task may start at the sender, which has these ports"},
		{Kind: traces.MessageTerm, Word: "Go", Meaning: " " +
			"start the process: its rank, and the hosts and ports of all ranks"},
		{Kind: traces.MessageTerm, Word: "Going", Meaning: "the sender has received Go"},
		{Kind: traces.MessageTerm, Word: "Exit", Meaning: " " +
			"nothing of the task runs at the sender any more, and how it ended"},
		{Kind: traces.MessageTerm, Word: "Noted", Meaning: "the representative has the end of the task"},
		{Kind: traces.MessageTerm, Word: "Halt", Meaning: "end the process, or do not start it"},
		{Kind: traces.MessageTerm, Word: "Finish", Meaning: " " +
			"the outcome is safe: the task layer may be notified of the end of the task"},
		{Kind: traces.MessageTerm, Word: "Closed", Meaning: "the sender has received Finish"},
		{Kind: traces.CommandTerm, Word: "halt", Meaning: "the client cancels the attempt"},
		{Kind: traces.CommandTerm, Word: "end", Meaning: "the task layer ends the attempt at this node"},
		{Kind: traces.TimerTerm, Word: "resend", Meaning: "unanswered messages are sent again"},
		{Kind: traces.TimerTerm, Word: "task starts", Meaning: "the task layer starts the task at this host"},
		{Kind: traces.TimerTerm, Word: "tasks decided", Meaning: "the task layer has chosen the hosts"},
		{Kind: traces.TimerTerm, Word: "permit granted", Meaning: "the custodian grants the permit"},
		{Kind: traces.TimerTerm, Word: "permit refused", Meaning: "the custodian refuses the permit"},
		{Kind: traces.TimerTerm, Word: "process exits", Meaning: "the process ends with 0"},
		{Kind: traces.TimerTerm, Word: "process fails", Meaning: "the process ends with another code"},
		{Kind: traces.TimerTerm, Word: "process is ended", Meaning: "the process ends because it was halted"},
		{Kind: traces.TimerTerm, Word: "process cannot start", Meaning: " " +
			"the driver cannot start the process"},
		{Kind: traces.TimerTerm, Word: "outputs are safe", Meaning: " " +
			"the custodians have all outputs of the task on their disks"},
		{Kind: traces.TimerTerm, Word: "outputs cannot be kept", Meaning: " " +
			"an output of the task can be kept nowhere"},
		{Kind: traces.EventTerm, Word: "keep", Meaning: "the process has ended, and its outputs must be kept"},
		{Kind: traces.StateTerm, Word: "+keeping", Meaning: "the outputs of the task are being kept"},
		{Kind: traces.TimerTerm, Word: "task is lost", Meaning: "the host loses the task, for a reason on its side"},
		{Kind: traces.TimerTerm, Word: "outcome is safe", Meaning: "the custodian has the outcome"},
		{Kind: traces.TimerTerm, Word: "attempt ends", Meaning: " " +
			"the task layer ends the attempt at this node"},
		{Kind: traces.EventTerm, Word: "here", Meaning: "the host reports to the representative"},
		{Kind: traces.EventTerm, Word: "go", Meaning: "the process starts, with this rank"},
		{Kind: traces.EventTerm, Word: "halt", Meaning: "the driver is to end the process"},
		{Kind: traces.EventTerm, Word: "unrun", Meaning: "no process is started"},
		{Kind: traces.EventTerm, Word: "finish", Meaning: "the task layer may be notified of the end of the task"},
		{Kind: traces.EventTerm, Word: "permit", Meaning: "all hosts are here, and the custodian is asked"},
		{Kind: traces.EventTerm, Word: "granted", Meaning: "the permit is given, and the hosts receive Go"},
		{Kind: traces.EventTerm, Word: "halting", Meaning: "the hosts are halted from now on, and why"},
		{Kind: traces.EventTerm, Word: "status", Meaning: " " +
			"the end of a task is known; its host, rank and cause"},
		{Kind: traces.EventTerm, Word: "outcome", Meaning: "all tasks have ended"},
		{Kind: traces.EventTerm, Word: "closed", Meaning: "all hosts were notified that the outcome is safe"},
		{Kind: traces.EventTerm, Word: "kill", Meaning: " " +
			"the attempt has ended, and the driver is to end the process"},
		{Kind: traces.EventTerm, Word: "end", Meaning: "the attempt has ended at this node"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the input changed nothing, and why"},
		{Kind: traces.EventTerm, Word: "given", Meaning: "the driver gave the core a command"},
		{Kind: traces.StateTerm, Word: "host", Meaning: " " +
			"the node runs a task of the attempt: its phase, representative, ports " +
			"and rank"},
		{Kind: traces.StateTerm, Word: "represents", Meaning: " " +
			"the node represents the attempt: its phase, and each host with its " +
			"state and status"},
		{Kind: traces.StateTerm, Word: "halted", Meaning: "the host had received Halt before the task ended"},
		{Kind: traces.StateTerm, Word: "+task", Meaning: "the task layer has started the task here"},
		{Kind: traces.StateTerm, Word: "+decided", Meaning: "the task layer has chosen the hosts"},
		{Kind: traces.StateTerm, Word: "+process", Meaning: "the process runs"},
		{Kind: traces.StateTerm, Word: "+halting", Meaning: "the driver was asked to end the process"},
		{Kind: traces.StateTerm, Word: "+finished", Meaning: "the task layer was notified of the end of the task"},
	}
}
