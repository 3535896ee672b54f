package abstract

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Set is a set of nodes, as a comparable value. The zero Set is empty.
type Set string

// Record is what a node knows of another's zone: how often it has changed, and how many rounds of
// others its owner has executed.
type Record struct {
	ID             protocol.NodeID
	Version, Epoch uint32
}

// Records has at most one record of each node, as a comparable value. The zero Records is empty.
type Records string

// The bytes of an identity, and of a record. Their order is that of the identities.
const (
	idBytes     = 6
	recordBytes = idBytes + 8
)

func appendID(dst []byte, id protocol.NodeID) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32(dst, uint32(id.Address)), id.Incarnation)
}

func idOf(s string) protocol.NodeID {
	at := binary.BigEndian.Uint32([]byte(s[:4]))
	return protocol.NodeID{Address: protocol.Address(at), Incarnation: binary.BigEndian.Uint16([]byte(s[4:6]))}
}

// SetOf returns the set of these nodes.
func SetOf(ids ...protocol.NodeID) Set {
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, protocol.NodeID.Compare)
	var b []byte
	for _, id := range slices.Compact(sorted) {
		b = appendID(b, id)
	}
	return Set(b)
}

// All visits the nodes in their order.
func (s Set) All() iter.Seq[protocol.NodeID] {
	return func(yield func(protocol.NodeID) bool) {
		for ; len(s) > 0; s = s[idBytes:] {
			if !yield(idOf(string(s))) {
				return
			}
		}
	}
}

// Has reports whether a node is in the set.
func (s Set) Has(id protocol.NodeID) bool {
	for x := range s.All() {
		if x == id {
			return true
		}
	}
	return false
}

// With returns the set with more nodes.
func (s Set) With(ids ...protocol.NodeID) Set {
	return SetOf(append(slices.Collect(s.All()), ids...)...)
}

// Without returns the set without a node.
func (s Set) Without(id protocol.NodeID) Set {
	return s.where(func(x protocol.NodeID) bool { return x != id })
}

// Union returns the nodes that are in either set.
func (s Set) Union(t Set) Set { return s.With(slices.Collect(t.All())...) }

// Minus returns the nodes that are not in the other set.
func (s Set) Minus(t Set) Set { return s.where(func(x protocol.NodeID) bool { return !t.Has(x) }) }

func (s Set) where(keep func(protocol.NodeID) bool) Set {
	var b []byte
	for x := range s.All() {
		if keep(x) {
			b = appendID(b, x)
		}
	}
	return Set(b)
}

// String lists the nodes: "A B".
func (s Set) String() string {
	var names []string
	for id := range s.All() {
		names = append(names, id.String())
	}
	return strings.Join(names, " ")
}

// RecordsOf returns these records. It keeps the last of several of one node.
func RecordsOf(all ...Record) Records {
	var b []byte
	for i, r := range sortedRecords(all) {
		if i > 0 && idOf(string(b[len(b)-recordBytes:])) == r.ID {
			b = b[:len(b)-recordBytes]
		}
		b = binary.BigEndian.AppendUint32(appendID(b, r.ID), r.Version)
		b = binary.BigEndian.AppendUint32(b, r.Epoch)
	}
	return Records(b)
}

func sortedRecords(all []Record) []Record {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Record) int { return a.ID.Compare(b.ID) })
	return sorted
}

// All visits the records in the order of their nodes.
func (r Records) All() iter.Seq[Record] {
	return func(yield func(Record) bool) {
		for ; len(r) > 0; r = r[recordBytes:] {
			numbers := []byte(r[idBytes:recordBytes])
			x := Record{idOf(string(r)), binary.BigEndian.Uint32(numbers), binary.BigEndian.Uint32(numbers[4:])}
			if !yield(x) {
				return
			}
		}
	}
}

// Of returns the record of a node, and whether there is one.
func (r Records) Of(id protocol.NodeID) (Record, bool) {
	for x := range r.All() {
		if x.ID == id {
			return x, true
		}
	}
	return Record{ID: id}, false
}

// With returns the records with one more, which replaces an older one of its node.
func (r Records) With(x Record) Records { return RecordsOf(append(slices.Collect(r.All()), x)...) }

// IDs returns the nodes that have a record.
func (r Records) IDs() Set {
	var b []byte
	for x := range r.All() {
		b = appendID(b, x.ID)
	}
	return Set(b)
}
