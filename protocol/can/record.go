package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Record is a replica of a node's state at another node.
type Record struct {
	ID      protocol.NodeID
	Coord   space.Point
	Zone    space.Zone
	Splits  []space.HalfSpace // never changed in place
	Version uint32            // counts the changes of Zone; 0 = never had one
	Epoch   uint32            // counts the rounds of others that took effect around the node
}

// table is a list of records in the order of their identities.
type table []Record

func (t table) find(id protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(t, id, func(r Record, id protocol.NodeID) int { return r.ID.Compare(id) })
}

func (t table) version(id protocol.NodeID) uint32 {
	if i, ok := t.find(id); ok {
		return t[i].Version
	}
	return 0
}

// merge adds a record. It keeps the newer zone and the newer epoch of two records of one node.
func (t table) merge(r Record) table {
	i, ok := t.find(r.ID)
	if !ok {
		return slices.Insert(t, i, r)
	}
	epoch := max(t[i].Epoch, r.Epoch)
	if t[i].Version < r.Version {
		t[i] = r
	}
	t[i].Epoch = epoch
	return t
}

func (t table) zones() []space.Zone {
	zones := make([]space.Zone, len(t))
	for i, r := range t {
		zones[i] = r.Zone
	}
	return zones
}

// where returns the records that satisfy the condition, as a new table.
func (t table) where(keep func(Record) bool) table {
	var kept table
	for i, r := range t {
		if !keep(r) {
			continue
		}
		if kept == nil {
			kept = make(table, 0, len(t)-i) // an upper bound: growing the slice would dominate the cost of a step
		}
		kept = append(kept, r)
	}
	return kept
}

func (t table) ids() []protocol.NodeID {
	ids := make([]protocol.NodeID, len(t))
	for i, r := range t {
		ids[i] = r.ID
	}
	return ids
}

// adjacentTo returns the records whose zones abut the given zone.
func (t table) adjacentTo(z space.Zone) table {
	return t.where(func(r Record) bool { _, ok := z.Abuts(r.Zone); return ok })
}
