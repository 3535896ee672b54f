package jobs

import (
	"fmt"
	"slices"
)

// Index finds the jobs of a table. Its methods change none of them.
type Index struct {
	byID   map[string]*Record
	ids    []string // of all but the elements of arrays, sorted
	byName map[Name]*Record
	byKey  map[string][]*Record // the oldest first: two daemons may each have taken a job under one key
	live   map[string]*Record   // not ended
	arrays map[string]*family
}

func newIndex() Index {
	return Index{
		byID: map[string]*Record{}, byName: map[Name]*Record{}, byKey: map[string][]*Record{},
		live: map[string]*Record{}, arrays: map[string]*family{},
	}
}

// add takes a record into the indexes. Each index is a function of the records alone, in any order
// of arrival: only add and drop change one, and a record is out of all of them while an indexed
// field of it changes.
func (x *Index) add(r *Record) {
	if former := x.byID[r.ID]; former != nil {
		x.drop(former) // it had another name among custodians
	}
	x.byID[r.ID], x.byName[r.Custody] = r, r
	if r.Key != "" {
		same := append(x.byKey[r.Key], r)
		slices.SortFunc(same, Older)
		x.byKey[r.Key] = same
	}
	if i, found := slices.BinarySearch(x.ids, r.ID); r.Parent == "" && !found {
		x.ids = slices.Insert(x.ids, i, r.ID)
	}
	if r.Spec.Array != nil {
		x.family(r.ID).record = r
	}
	if r.Parent != "" {
		x.family(r.Parent).elements[r.Index] = r
	}
	if !r.State.Final() {
		x.live[r.ID] = r
		if r.Parent != "" {
			x.family(r.Parent).live++
		}
	}
}

// drop takes a record out of the indexes, and nothing else.
func (x *Index) drop(r *Record) {
	x.rest(r)
	delete(x.byID, r.ID)
	if i, found := slices.BinarySearch(x.ids, r.ID); found {
		x.ids = slices.Delete(x.ids, i, i+1)
	}
	if x.byName[r.Custody] == r {
		delete(x.byName, r.Custody)
	}
	x.byKey[r.Key] = slices.DeleteFunc(x.byKey[r.Key], func(o *Record) bool { return o == r })
	if len(x.byKey[r.Key]) == 0 {
		delete(x.byKey, r.Key)
	}
	if f := x.arrays[r.ID]; f != nil && f.record == r {
		f.record = nil
		x.tidy(r.ID)
	}
	if f := x.arrays[r.Parent]; f != nil && f.elements[r.Index] == r {
		delete(f.elements, r.Index)
		x.tidy(r.Parent)
	}
}

// rest removes a job from the unfinished ones.
func (x *Index) rest(r *Record) {
	if x.live[r.ID] == nil {
		return
	}
	delete(x.live, r.ID)
	if f := x.arrays[r.Parent]; f != nil {
		f.live--
	}
}

// Known returns the job of a submit key, or nil: the oldest one with this command, if two daemons
// have each taken one. A key that names other commands only is refused.
func (x *Index) Known(s Spec, key string) (*Record, error) {
	same := x.byKey[key]
	for _, r := range same {
		if slices.Equal(r.Spec.Command, s.Command) && r.Spec.Tasks == s.Tasks {
			return r, nil
		}
	}
	if len(same) > 0 {
		return nil, fmt.Errorf("%w: key %q names job %s, which has another command", ErrSpec, key, same[0].ID)
	}
	return nil, nil
}

// Named returns a job by its name among custodians, or nil.
func (x *Index) Named(name Name) *Record { return x.byName[name] }

// Get returns a job by its id, or nil.
func (x *Index) Get(id string) *Record { return x.byID[id] }

// size is how many jobs there are with this one, and with all elements of arrays.
func (x *Index) size(s *Spec) int {
	size := len(x.byID) + 1
	if s.Array != nil {
		size += s.Array.Size()
	}
	for _, f := range x.arrays {
		if f.record != nil && !f.record.State.Final() {
			size += f.record.Spec.Array.Size() - len(f.elements)
		}
	}
	return size
}
