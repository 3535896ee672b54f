package jobs

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Find returns the job whose id begins with a prefix, or with PREFIX[7] an element of that array.
// An element whose turn has not come yet is a record that is not kept.
func (x *Index) Find(prefix string) (*Record, error) {
	if array, index, is := splitElement(prefix); is {
		parent, err := x.Find(array)
		if err != nil {
			return nil, err
		}
		return x.element(parent, index)
	}
	if r := x.byID[prefix]; r != nil {
		return r, nil
	}
	var found []*Record
	for id, r := range x.byID {
		if prefix != "" && r.Parent == "" && strings.HasPrefix(id, prefix) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w: %q; canvass status lists them", ErrUnknown, prefix)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%w: %d begin with %q; give more of the id", ErrAmbiguous, len(found), prefix)
}

// After returns, in the order of their ids, the jobs but the elements of arrays whose ids are
// greater than one.
func (x *Index) After(id string) iter.Seq[*Record] {
	i, found := slices.BinarySearch(x.ids, id)
	if found {
		i++
	}
	return func(yield func(*Record) bool) {
		for _, next := range x.ids[i:] {
			if !yield(x.byID[next]) {
				return
			}
		}
	}
}

// Everything returns all jobs.
func (x *Index) Everything() []*Record { return slices.SortedFunc(maps.Values(x.byID), Older) }

// Live returns all jobs that have not ended, elements of arrays included, the oldest first.
func (x *Index) Live() []*Record { return slices.SortedFunc(maps.Values(x.live), Older) }

// Open are the jobs that have not ended, in no order.
func (x *Index) Open() iter.Seq[*Record] { return maps.Values(x.live) }

// Size is how many jobs there are, elements of arrays included.
func (x *Index) Size() int { return len(x.byID) }

// Older orders jobs by when they were accepted.
func Older(a, b *Record) int {
	return cmp.Or(a.Changes[0].At.Compare(b.Changes[0].At), cmp.Compare(a.ID, b.ID))
}

// Hold keeps a job that waits from running, until it is released. An attempt that runs goes on.
func (t *Table) Hold(r *Record) error {
	switch {
	case r.State.Final():
		return fmt.Errorf("%w: %s is %s", ErrOver, r.ID, r.State)
	case r.Held:
		return nil
	case r.Parent != "" && t.byID[r.ID] == nil:
		return specf("%s has not had its turn; hold the array", r.ID)
	}
	r.Held = true
	if r.Open() != nil || r.Spec.Array != nil {
		t.change(r)
		return nil
	}
	t.enter(r, Held, "")
	return nil
}

// Release undoes Hold.
func (t *Table) Release(r *Record) error {
	switch {
	case r.State.Final():
		return fmt.Errorf("%w: %s is %s", ErrOver, r.ID, r.State)
	case !r.Held:
		return nil
	}
	r.Held = false
	if r.State != Held {
		t.change(r)
		return nil
	}
	t.enter(r, Accepted, "released")
	return nil
}

// Tell records the report of a rank's host about its task, for the attempt that has the permit.
func (t *Table) Tell(r *Record, by protocol.NodeID, epoch uint32, rank int, told Rank) Rank {
	open := r.Open()
	if open == nil || open.By != by || open.Epoch != epoch || rank < 0 || rank >= len(open.Hosts) {
		return told
	}
	told.Lost = cmp.Or(told.Lost, open.Rank(rank).Lost) // the custodians know better, and it may be late
	*open.Rank(rank) = Rank{}
	r.admit(&told)
	*open.Rank(rank) = told
	t.change(r)
	return told
}
