package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// proposer is a node that begins a round and decides it, L in chapter 6. It owns Round, Change and
// Leave in the state.
type proposer struct{ *node }

// request is Algorithm 4, Request(γ): it begins a round unless a disruption is known. It fixes the
// participants and the outcome: no message that arrives during the round changes them.
func (n proposer) request(kind ChangeKind, subject protocol.NodeID, coord space.Point) bool {
	if n.Busy() || !n.isConsistent(kind == Takeover) {
		n.Event(EventRetry, subject, 0, kind.String())
		return false
	}
	outcome, ok := n.outcome(kind, subject, coord)
	if !ok {
		n.Event(EventRetry, subject, 0, kind.String())
		return false
	}
	n.Round++
	outcome.Round, outcome.Kind = n.Round, kind
	participants := n.live().ids()
	if kind == Split {
		participants = insert(participants, subject)
	}
	n.Change = Change{Stage: Proposing, Subject: subject, Waiting: participants, Commit: outcome}
	n.Event(EventRequest, subject, n.Round, kind.String())
	for _, id := range participants {
		n.send(id, Propose{Round: n.Round, Kind: kind, Subject: subject, Version: table(n.Known).version(id)})
	}
	if len(participants) == 0 {
		n.decide(true)
	}
	return true
}

// outcome computes which zones change, and how, if the change is executed.
func (n proposer) outcome(kind ChangeKind, subject protocol.NodeID, coord space.Point) (Commit, bool) {
	c := Commit{View: n.live()}
	switch kind {
	case Split:
		keep, ok := n.cfg.Space.Split(n.Self.Splits, n.Self.Coord, coord)
		if !ok {
			return Commit{}, false
		}
		joiner := Record{ID: subject, Coord: coord, Zone: n.Self.Zone, Splits: n.Self.Splits}
		c.Changed = table{n.Self.cut(keep)}.merge(joiner.cut(keep.Opposite()))
	case Merge:
		c.Changed = takersOf(n.Self, n.live())
		c.Gone = subject
		if !space.Covered(n.Self.Zone, table(c.Changed).zones()) {
			return Commit{}, false
		}
	case Takeover:
		i, ok := table(n.Known).find(subject)
		if !ok {
			return Commit{}, false
		}
		self, ok := extended(n.Self, n.Known[i])
		if !ok {
			return Commit{}, false
		}
		c.Changed = table{self}
		c.Gone = subject
	}
	c.View = table(c.View).where(func(r Record) bool { return table(c.Changed).version(r.ID) == 0 })
	return c, true
}

// isConsistent reports whether the known neighbourhood has neither overlap nor gap: known zones
// cover the border of this node and of each direct neighbour. Every participant compares versions,
// too. So the neighbourhood is exact: each node in it is known, with its present zone. Only a
// takeover may begin beside a hole. Of such a hole only the part that faces this node and is still
// open counts.
func (n proposer) isConsistent(holes bool) bool {
	live := append(n.live(), n.Self)
	for i, r := range live {
		if overlapsAny(r.Zone, live[i+1:].zones()) {
			return false
		}
	}
	all := append(slices.Clone(table(n.Known)), n.Self).zones()
	if !holes && len(live) != len(all) {
		return false
	}
	for _, r := range append(table(n.Known).adjacentTo(n.Self.Zone), n.Self) {
		border := r.Zone
		if n.IsDead(r.ID) {
			if border = r.Zone.Facing(n.Self.Zone); space.Covered(border, live.zones()) {
				continue
			}
		}
		if !n.cfg.Space.BorderCovered(border, all) {
			return false
		}
	}
	return true
}

// withEpoch notes the epoch in which a participant will be when it has executed the round.
func (c Commit) withEpoch(id protocol.NodeID, epoch uint32) Commit {
	for _, rs := range [2]*[]Record{&c.Changed, &c.View} {
		if i, ok := table(*rs).find(id); ok {
			*rs = slices.Clone(*rs)
			(*rs)[i].Epoch = epoch
		}
	}
	return c
}

// takersOf returns the new records of the nodes that take over when a node departs: those across
// its takeover face, each extended by its share.
func takersOf(departing Record, candidates table) table {
	var takers table
	for _, r := range candidates {
		if t, ok := extended(r, departing); ok {
			takers = append(takers, t)
		}
	}
	return takers
}

// cut returns the record of a node after its zone was cut to a half-space.
func (r Record) cut(half space.HalfSpace) Record {
	r.Zone = half.Cut(r.Zone)
	r.Splits = append(slices.Clone(r.Splits), half)
	r.Version++
	return r
}

// extended returns the record of a taker after it took its share of the departing node's zone.
func extended(taker, departing Record) (Record, bool) {
	share, ok := space.Share(departing.Zone, departing.Splits, taker.Zone)
	if !ok {
		return Record{}, false
	}
	taker.Splits = space.MergeSplits(departing.Zone, departing.Splits, taker.Splits)
	taker.Zone = space.Join(taker.Zone, share)
	taker.Version++
	return taker, true
}
