package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// FirstInstance is the instance number of a node that has just become a member.
const FirstInstance = 1

// Record is the information about a node that nodes exchange.
type Record struct {
	ID       protocol.NodeID
	Coord    space.Point
	Zone     space.Zone
	Splits   []space.HalfSpace // the last entry is the takeover face; never changed in place
	Instance uint32
}

// Status is the command state of a node as another node sees it, or as it sees itself.
type Status uint8

// The two states of the paper.
const (
	Stable Status = iota // quiescent: no outstanding command
	Busy                 // a command of that node is outstanding
)

// Entry is node_A[B]: node A's record of node B. A proposer that A did not know before has an entry
// without a zone.
type Entry struct {
	Record
	Status Status
}

// table holds entries in the order of their identities.
type table []Entry

func (t table) find(id protocol.NodeID) (int, bool) {
	return slices.BinarySearchFunc(t, id, func(e Entry, id protocol.NodeID) int { return e.ID.Compare(id) })
}

// at returns the entry of a node for writing; a missing one is made.
func (t *table) at(id protocol.NodeID) *Entry {
	i, ok := t.find(id)
	if !ok {
		*t = slices.Insert(*t, i, Entry{Record: Record{ID: id}})
	}
	return &(*t)[i]
}

func (t *table) remove(id protocol.NodeID) {
	if i, ok := t.find(id); ok {
		*t = slices.Delete(*t, i, i+1)
	}
}

// records returns the entries that have a zone, without their states.
func (t table) records() []Record {
	var rs []Record
	for _, e := range t {
		if !e.Zone.Empty() {
			rs = append(rs, e.Record)
		}
	}
	return rs
}

func ids(rs []Record) []protocol.NodeID {
	out := make([]protocol.NodeID, len(rs))
	for i, r := range rs {
		out[i] = r.ID
	}
	return out
}

func zones(rs []Record) []space.Zone {
	out := make([]space.Zone, len(rs))
	for i, r := range rs {
		out[i] = r.Zone
	}
	return out
}

// adjacent returns the records whose zones abut the given zone.
func adjacent(z space.Zone, rs []Record) []Record {
	var out []Record
	for _, r := range rs {
		if abuts(z, r.Zone) {
			out = append(out, r)
		}
	}
	return out
}

func abuts(a, b space.Zone) bool {
	_, ok := a.Abuts(b)
	return ok && !a.Empty() && !b.Empty()
}

// neighbourhood returns the direct neighbours of a zone and the neighbours of those.
func neighbourhood(z space.Zone, rs []Record) []Record {
	direct := adjacent(z, rs)
	var out []Record
	for _, r := range rs {
		if abuts(z, r.Zone) || len(adjacent(r.Zone, direct)) > 0 {
			out = append(out, r)
		}
	}
	return out
}
