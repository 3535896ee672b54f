package reptask

import "slices"

// leave makes the node refuse new jobs, roles and tasks. It returns what has not begun: queued
// tasks at once, a vote when the representative has forgotten it, idle roles to their owners. A
// running task runs to its end, and the node owns its jobs until they have ended.
func (n *node) leave() {
	if n.Leaving {
		n.Ignore(n.Self, "leaving already")
		return
	}
	n.Leaving = true
	for _, r := range slices.Clone(n.Roles) {
		if r.Phase == Collecting {
			n.asRepresentative().stop(n.roleOf(r.Job), Lost)
		}
	}
	n.asHost().handBack()
	n.asHost().recall()
}

// cordon makes the node take no more tasks, or take them again. It returns tasks that have not
// begun, as a leaving node does. Running tasks go on, and the node still owns jobs and represents
// jobs that run elsewhere.
func (n host) cordon(on bool) {
	if n.Cordoned == on {
		n.Ignore(n.Self, "it is so already")
		return
	}
	n.Cordoned = on
	n.handBack()
	if on {
		n.recall()
	}
}

// handBack returns the tasks that wait in the queue of a node that takes none.
func (n host) handBack() {
	if !n.Leaving && !n.Cordoned {
		return
	}
	for _, t := range slices.Clone(n.Tasks) {
		if t.State == TaskQueued {
			n.drop(t.Attempt())
			n.send(t.Rep, n.refusal(t.Attempt()))
		}
	}
}

// recall asks for the node's outstanding vote back, as for an older job.
func (n host) recall() {
	for i := range n.Tasks {
		if t := &n.Tasks[i]; t.State == TaskReady {
			t.State = TaskWithdrawing
			n.note(EventWithdraw, t.Attempt())
			n.send(t.Rep, Message{Kind: Withdraw, Attempt: t.Attempt(), Vote: t.Vote})
		}
	}
}

// Drained reports whether a node that leaves has nothing left to do.
func (s *State) Drained() bool {
	open := slices.ContainsFunc(s.Owned, func(o Owned) bool { return o.State <= JobRevoking })
	return s.Leaving && len(s.Tasks) == 0 && len(s.Roles) == 0 && !open
}
