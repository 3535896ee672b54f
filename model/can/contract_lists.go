package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// listsBroken checks the state after the step.
func (s *transition) listsBroken() string {
	n := s.after
	if why := recordsBroken(n); why != "" {
		return why
	}
	if why := roundBroken(n); why != "" {
		return why
	}
	p := &n.Promise
	switch member := n.Phase == can.Member; {
	case !member && len(n.Known) > 0:
		return "it is no member and knows neighbours"
	case member && !n.Self.Zone.Contains(n.Self.Coord):
		return "it is a member outside its zone"
	case !member && n.Phase != can.Departed && !n.Self.Zone.Empty():
		return "it is no member and has a zone"
	case !bound(p.Proposer) && *p != can.Promise{}:
		return "something is left of a promise"
	case bound(p.Proposer) && n.Phase != can.Member && n.Phase != can.Joining:
		return "it is neither member nor joining and has promised"
	case p.Orphan && (p.Kind != can.Split || p.Subject == n.Self.ID):
		return "it asks about a change that needs no question"
	}
	return s.deadBroken()
}

// deadBroken checks the list of dead nodes.
func (s *transition) deadBroken() string {
	n := s.after
	met := map[protocol.NodeID]bool{{}: true, n.Self.ID: true}
	for _, id := range n.Dead {
		if met[id] {
			return "a dead node is listed twice, is itself, or has no identity"
		}
		met[id] = true
	}
	if len(n.Dead) > s.cfg.DeadLimit {
		return "it remembers too many dead nodes"
	}
	return ""
}

// recordsBroken checks a node's records of others: the neighbourhood, sorted, and open holes.
func recordsBroken(n *can.State) string {
	live := []space.Zone{n.Self.Zone}
	for i, r := range n.Known {
		if r.ID == n.Self.ID || r.Version == 0 || i > 0 && n.Known[i-1].ID.Compare(r.ID) >= 0 {
			return "the records are not sorted, or one is its own or of no zone"
		}
		if !dead(n, r.ID) {
			live = append(live, r.Zone)
		}
	}
	for _, r := range n.Known {
		if dead(n, r.ID) && space.Covered(r.Zone, live) {
			return "it remembers a hole that is closed"
		}
		if !beside(r.Zone, n.Self.Zone) && !slices.ContainsFunc(n.Known, func(q can.Record) bool {
			return abuts(q.Zone, n.Self.Zone) && beside(q.Zone, r.Zone)
		}) {
			return "it remembers a node outside its neighbourhood"
		}
	}
	return ""
}

// roundBroken checks the node's own round.
func roundBroken(n *can.State) string {
	c := &n.Change
	changed := func(id protocol.NodeID) bool { _, ok := recordOf(c.Commit.Changed, id); return ok }
	sorted := func(ids []protocol.NodeID) bool {
		return slices.IsSortedFunc(ids, protocol.NodeID.Compare) && len(slices.Compact(slices.Clone(ids))) == len(ids)
	}
	if c.Stage == can.Stable {
		if bound(c.Subject) || len(c.Waiting)+len(c.Later)+len(c.Commit.Changed)+len(c.Commit.View) > 0 {
			return "something is left of a round"
		}
		return ""
	}
	both := func(id protocol.NodeID) bool { return slices.Contains(c.Waiting, id) || id == n.Self.ID }
	switch {
	case !sorted(c.Waiting), !sorted(c.Later), slices.ContainsFunc(c.Later, both):
		return "the participants are not sorted, or one is there twice"
	case len(c.Waiting) == 0:
		return "no participant of its round is left to wait for"
	case bound(n.Promise.Proposer):
		return "it has promised during its own round"
	case c.Commit.Round != n.Round:
		return "the outcome is of another round"
	case slices.ContainsFunc(c.Commit.View, func(r can.Record) bool { return changed(r.ID) }):
		return "a changing node is listed among the staying ones"
	case c.Stage == can.Granting && (!allOf(c.Waiting, changed) || slices.ContainsFunc(c.Later, changed)):
		return "nodes whose zones grow are not the first to receive the outcome"
	case c.Stage == can.Committing && len(c.Later) > 0:
		return "some participants wait for their turn without need"
	case (n.Phase == can.Leaving) != (c.Stage > can.Proposing && c.Commit.Gone == n.Self.ID):
		return "it leaves without having given its zone away, or keeps a zone that it has given away"
	}
	return ""
}

func allOf(ids []protocol.NodeID, holds func(protocol.NodeID) bool) bool {
	return !slices.ContainsFunc(ids, func(id protocol.NodeID) bool { return !holds(id) })
}
