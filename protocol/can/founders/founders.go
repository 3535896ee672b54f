package founders

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Founder is a member from the beginning: its state, its pending timers, and the content of its
// disk.
type Founder struct {
	State     can.State
	Timers    []protocol.SetTimer
	Persisted []byte
}

// New computes the network that arises when nodes join one after the other without faults: the
// states that the core reaches, without its messages. Coordinates come from draw; a coordinate that
// is taken is drawn again. Only epochs differ: they are 0, the oldest value.
func New(cfg *can.Config, nodes int, draw func(i int) space.Point) []Founder {
	records, adjacent := Records(cfg, nodes, draw)
	founders := make([]Founder, nodes)
	for i := range founders {
		founders[i] = founder(cfg, records, adjacent, i)
	}
	return founders
}

// Records computes the map of that network alone, which takes a tenth of the memory: the record of
// each node, and the nodes whose zones abut its own, in ascending order. With [Within2], these are
// all that a node knows.
func Records(cfg *can.Config, nodes int, draw func(i int) space.Point) (records []can.Record, adjacent [][]int32) {
	owners := &splits{cfg: cfg}
	for i := range nodes {
		for !owners.admit(protocol.Address(i), draw(i)) {
		}
	}
	zones := make([]space.Zone, nodes)
	for i, r := range owners.records {
		zones[i] = r.Zone
	}
	return owners.records, NewIndex(cfg.Space.Whole(), zones).Neighbours(cfg.Space.Dims)
}

// splits is the tree of all splits, which finds the owner of a point.
type splits struct {
	cfg     *can.Config
	records []can.Record
	tree    []plane
}

// plane is a split, or a leaf that belongs to an owner.
type plane struct {
	half       space.HalfSpace
	keep, gave int32 // the sides of half and of its opposite; 0: a leaf
	owner      int32
}

// admit lets a node join. It reports false if its coordinate is taken.
func (s *splits) admit(a protocol.Address, at space.Point) bool {
	me := can.Record{ID: protocol.NodeID{Address: a, Incarnation: 1}, Coord: at, Version: 1, Zone: s.cfg.Space.Whole()}
	if len(s.records) == 0 {
		s.records, s.tree = append(s.records, me), append(s.tree, plane{})
		return true
	}
	leaf := int32(0)
	for s.tree[leaf].keep != 0 {
		p := &s.tree[leaf]
		if leaf = p.gave; (at[p.half.Dim] >= p.half.At) == p.half.AtLeast {
			leaf = p.keep
		}
	}
	owner := &s.records[s.tree[leaf].owner]
	half, ok := s.cfg.Space.Split(owner.Splits, owner.Coord, at)
	if !ok {
		return false
	}
	former := slices.Clip(owner.Splits)
	me.Zone, me.Splits = half.Opposite().Cut(owner.Zone), append(former, half.Opposite())
	owner.Zone, owner.Splits = half.Cut(owner.Zone), append(former, half)
	owner.Version++
	next := int32(len(s.tree))
	s.tree = append(s.tree, plane{owner: s.tree[leaf].owner}, plane{owner: int32(len(s.records))})
	s.tree[leaf] = plane{half: half, keep: next, gave: next + 1}
	s.records = append(s.records, me)
	return true
}

func founder(cfg *can.Config, records []can.Record, adjacent [][]int32, i int) Founder {
	self := records[i]
	state, out := can.Step(cfg, can.New(self.ID.Address, self.Coord), can.Input{Kind: protocol.Start})
	f := Founder{State: state, Persisted: out.Persist}
	f.State.Phase, f.State.Self = can.Member, self
	if i > 0 {
		f.State.Contact = records[0].ID
	}
	for _, j := range Within2(adjacent, int32(i)) {
		f.State.Known = append(f.State.Known, records[j])
	}
	// The first update comes at any time within the period.
	f.Timers = []protocol.SetTimer{
		{Timer: protocol.Timer{Kind: can.UpdateTimer}, MinTicks: 1, MaxTicks: cfg.UpdateTicks},
	}
	missed := cfg.UpdateTicks * cfg.MissedUpdates
	for _, j := range adjacent[i] {
		f.Timers = append(f.Timers, protocol.SetTimer{
			Timer: protocol.Timer{Kind: can.MissedTimer, Peer: records[j].ID}, MinTicks: missed, MaxTicks: missed})
	}
	return f
}
