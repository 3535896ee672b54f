package reptask

import "github.com/canvass-grid/canvass/protocol/reptask"

// ViewOf shows a node of the corrected core.
func ViewOf(s reptask.State) *View {
	v := &View{ID: s.Self, Leaving: s.Leaving, Cordoned: s.Cordoned}
	for _, t := range s.Tasks {
		v.Tasks = append(v.Tasks, Task{Attempt: t.Attempt(), Representative: t.Rep, State: TaskState(t.State), Vote: t.Vote})
	}
	for _, r := range s.Roles {
		v.Roles = append(v.Roles, roleOf(r))
	}
	for _, o := range s.Owned {
		state := Open
		switch o.State {
		case reptask.JobAccepted:
			state = Accepted
		case reptask.JobCancelled:
			state = Cancelled
		case reptask.JobFailed:
			state = Failed
		}
		v.Owned = append(v.Owned, Owned{Attempt: o.Attempt(), State: state, Revoking: o.State == reptask.JobRevoking})
	}
	return v
}

func roleOf(r reptask.Role) Role {
	role := Role{Attempt: r.Attempt(), Owner: r.Owner, Size: int(r.Spec.Size), Phase: Ending}
	switch r.Phase {
	case reptask.Collecting:
		role.Phase = Collecting
	case reptask.Started:
		role.Phase = Started
	}
	for _, m := range r.Members {
		if m.Vote > 0 {
			role.Votes = append(role.Votes, Vote{Host: m.Host, Number: m.Vote, Finished: m.State == reptask.MemberFinished})
		}
	}
	return role
}
