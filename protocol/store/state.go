package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Source identifies a handover: the giver, and the round of the giver.
type Source struct {
	From  protocol.NodeID
	Round uint32
}

// Await is a part of the node's zone whose items have not arrived yet. Its keys are not served.
type Await struct {
	Source
	Zone space.Zone
}

// Gift is a part of the node's former zone that must be handed over. Needs are the handovers that
// this node was awaiting when it gave the part away: their items belong to it.
type Gift struct {
	To      protocol.NodeID
	Round   uint32
	Zone    space.Zone
	Leaving bool
	Needs   []Source
	Items   []Item
}

// Pending is an operation of a client of this node that is not answered yet.
type Pending struct {
	Operation Operation
	Attempt   uint32            // of the latest attempt
	Target    protocol.NodeID   // the receiver of the latest attempt; none: it waits for its retry
	Tried     []protocol.NodeID // nodes that failed with an unanswered attempt, sorted
	Redirects uint32            // hints followed since the last retry
}

// State is one node. It is a value: Step never changes its argument.
type State struct {
	CAN     can.State
	Items   []Item // of the keys in its zone, sorted by key
	Awaits  []Await
	Gifts   []Gift
	Pending []Pending         // sorted by ID
	Decided []Decision        // the oldest first
	Left    []protocol.NodeID // leavers whose decisions are known; the oldest first
}

// New returns the state of a process before its first incarnation.
func New(address protocol.Address, coord space.Point) State {
	return State{CAN: can.New(address, coord)}
}

// ID returns the node's identity.
func (s *State) ID() protocol.NodeID { return s.CAN.Self.ID }

// Owns reports whether the key lies in the node's zone.
func (s *State) Owns(key space.Point) bool {
	return s.CAN.Phase == can.Member && s.CAN.Self.Zone.Contains(key)
}

// Serves reports whether the node executes operations on the key: it owns the key and has its item.
func (s *State) Serves(key space.Point) bool {
	return s.Owns(key) && !slices.ContainsFunc(s.Awaits, func(a Await) bool { return a.Zone.Contains(key) })
}

// Keeps reports whether the item of the key is lost if the node fails now: the node owns the key or
// must hand its item over.
func (s *State) Keeps(key space.Point) bool {
	return s.Owns(key) || slices.ContainsFunc(s.Gifts, func(g Gift) bool { return g.Zone.Contains(key) })
}

// GivesTo reports whether the node must hand the item of the key over to the other one. If that one
// fails, the item is lost.
func (s *State) GivesTo(key space.Point, to protocol.NodeID) bool {
	return slices.ContainsFunc(s.Gifts, func(g Gift) bool { return g.To == to && g.Zone.Contains(key) })
}

// Value returns the value of a key that the node holds.
func (s *State) Value(key space.Point) uint32 {
	if i, ok := findItem(s.Items, key); ok {
		return s.Items[i].Value
	}
	return 0
}

// Finished reports whether the node has left and has nothing left to do.
func (s *State) Finished() bool {
	return s.CAN.Phase == can.Departed && len(s.Gifts) == 0 && len(s.Pending) == 0
}

// clone returns a state that shares no slice which Step changes in place. Step does not change the
// map's part.
func (s State) clone() State {
	s.Items, s.Awaits, s.Gifts = slices.Clone(s.Items), slices.Clone(s.Awaits), slices.Clone(s.Gifts)
	s.Pending, s.Decided, s.Left = slices.Clone(s.Pending), slices.Clone(s.Decided), slices.Clone(s.Left)
	return s
}

func findItem(items []Item, key space.Point) (int, bool) {
	return slices.BinarySearchFunc(items, key, func(it Item, key space.Point) int {
		return slices.Compare(it.Key[:], key[:])
	})
}

// setItem returns the items with one register changed. The list may be changed in place.
func setItem(items []Item, key space.Point, value uint32) []Item {
	i, found := findItem(items, key)
	switch {
	case found && value == 0:
		return slices.Delete(items, i, i+1)
	case found:
		items[i].Value = value
	case value != 0:
		return slices.Insert(items, i, Item{key, value})
	}
	return items
}

// within divides items into those whose keys lie in the zone and the others.
func within(items []Item, z space.Zone) (in, out []Item) {
	for _, it := range items {
		if z.Contains(it.Key) {
			in = append(in, it)
		} else {
			out = append(out, it)
		}
	}
	return in, out
}
