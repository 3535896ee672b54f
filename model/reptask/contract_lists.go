package reptask

import (
	"cmp"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// increases reports whether a list is strictly in order.
func increases[T any](all []T, compare func(a, b T) int) bool {
	for i := 1; i < len(all); i++ {
		if compare(all[i-1], all[i]) >= 0 {
			return false
		}
	}
	return true
}

func (s *transition) listsBroken() string {
	n, cfg := s.after, s.cfg
	byName := func(a, b reptask.Owned) int {
		return cmp.Or(a.Job.Owner.Compare(b.Job.Owner), cmp.Compare(a.Job.Number, b.Job.Number))
	}
	switch {
	case !increases(n.Owned, byName) || !increases(n.Silent, protocol.NodeID.Compare):
		return "jobs or silent peers are not sorted"
	case !increases(n.Roles, func(a, b reptask.Role) int { return a.Job.Compare(b.Job) }),
		!increases(n.Tasks, func(a, b reptask.Task) int { return a.Job.Compare(b.Job) }),
		!increases(n.Floors, func(a, b reptask.Floor) int { return a.Job.Compare(b.Job) }):
		return "roles, tasks or floors are not sorted by age"
	case !increases(n.Cluster, func(a, b reptask.Neighbour) int { return a.ID.Compare(b.ID) }):
		return "the cluster is not sorted"
	case len(n.Owned) > cfg.JobLimit || len(n.Roles) > cfg.RoleLimit || len(n.Tasks) > cfg.TaskLimit ||
		len(n.Floors) > cfg.FloorLimit:
		return "a limit is exceeded"
	}
	for i := range n.Owned {
		if o := &n.Owned[i]; !unended(o) && (len(o.Candidates) > 0 || o.Refusals > 0 || o.Parting ||
			!o.Rep.IsNobody() || !o.Next.IsNobody()) || o.Next.IsNobody() && o.NextBy != 0 {
			return "an ended job keeps fields that only an open job needs"
		}
	}
	for i := range n.Roles {
		if why := roleBroken(&n.Roles[i]); why != "" {
			return why
		}
	}
	for _, id := range n.Silent {
		if !awaits(n, id) {
			return "it is silent towards a peer for which it does not wait"
		}
	}
	return queueBroken(n)
}

func roleBroken(r *reptask.Role) string {
	if !increases(r.Members, func(a, b reptask.Member) int { return a.Host.Compare(b.Host) }) {
		return "members are not sorted"
	}
	if len(r.Members) > 0 && (r.Phase == reptask.Reporting || r.Phase == reptask.Resigning) {
		return "an attempt has ended and keeps its members"
	}
	if r.Bond == reptask.Bound && len(r.Candidates) > 0 || r.Target.IsNobody() && r.TargetBy != 0 {
		return "an attempt keeps fields of another bond, or of a move"
	}
	for _, m := range r.Members {
		decided := m.State == reptask.MemberStarting || m.State == reptask.MemberFinished
		switch {
		case m.Vote > 0 && m.Vote <= m.Withdrawn:
			return "a withdrawn vote counts"
		case m.Vote > 0 && m.Position > 0:
			return "a member that has voted is in a queue"
		case decided && r.Phase == reptask.Collecting, m.State == reptask.MemberDispatched && r.Phase != reptask.Collecting:
			return "a member is started before the decision, or was not chosen"
		case decided && m.Vote == 0, m.State == reptask.MemberGone && m != (reptask.Member{Host: m.Host, State: m.State}) &&
			r.Phase == reptask.Collecting:
			return "a member starts without a vote, or a lost member has a vote"
		}
	}
	return ""
}

// awaits reports whether a node waits for the silence of a peer to last.
func awaits(n *reptask.State, peer protocol.NodeID) bool {
	for i := range n.Owned {
		if unended(&n.Owned[i]) && n.Owned[i].Rep == peer {
			return true
		}
	}
	for i := range n.Roles {
		if n.Roles[i].Phase == reptask.Stopping && memberIn(&n.Roles[i], peer) != nil {
			return true
		}
	}
	return false
}

// queueBroken checks the queue of a host: one task at most has the node, the oldest that can.
func queueBroken(n *reptask.State) string {
	holders, queued, younger, voted := 0, false, false, false
	for _, t := range n.Tasks {
		switch t.State {
		case reptask.TaskQueued:
			queued = true
		case reptask.TaskReady:
			holders++
			younger, voted = queued, true
		case reptask.TaskWithdrawing, reptask.TaskRunning:
			holders++
		}
	}
	switch {
	case holders > 1:
		return "two tasks have the node"
	case queued && holders == 0:
		return "a task waits although the node is free"
	case younger:
		return "a node has voted for a task although an older one waits"
	case queued && n.Leaving:
		return "a node that leaves keeps its queue"
	case !Recalls(n):
		return "a node that leaves keeps a vote that it does not want back"
	case (queued || voted) && n.Cordoned:
		return "a node that is cordoned keeps its queue, or a vote that it does not want back"
	}
	return ""
}
