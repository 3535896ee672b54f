package jobs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
)

// family is an array and those of its elements whose turn has come.
type family struct {
	record   *Record
	next     int // how many elements have had their turn
	elements map[int]*Record
	live     int
}

func (t *Table) family(id string) *family {
	f := t.arrays[id]
	if f == nil {
		f = &family{elements: map[int]*Record{}}
		t.arrays[id] = f
	}
	return f
}

func (f *family) add(r *Record) {
	f.elements[r.Index] = r
	f.next++
	if !r.State.Final() {
		f.live++
	}
}

// Spawn makes the job of the next element of an array durable, if one may run: fewer than its limit
// and than so many run. It returns nil if none may.
func (t *Table) Spawn(r *Record, limit int) (*Record, error) {
	f := t.arrays[r.ID]
	if at := r.Spec.Array.AtOnce; at > 0 {
		limit = min(limit, at)
	}
	if r.State.Final() || r.Wish != "" || r.Held || f.live >= limit || f.next >= r.Spec.Array.Size() {
		return nil, nil
	}
	index := r.Spec.Array.At(f.next)
	element, err := t.take(&Record{ID: ElementID(r.ID, index), Parent: r.ID, Index: index, Spec: r.Spec.element(index)})
	if err == nil && r.State == Accepted {
		err = t.enter(r, Running, "")
	}
	return element, err
}

// Elements returns the elements of an array that have had their turn, by index.
func (t *Table) Elements(r *Record) (all []*Record) {
	f := t.arrays[r.ID]
	if f == nil {
		return nil
	}
	for _, index := range slices.Sorted(maps.Keys(f.elements)) {
		all = append(all, f.elements[index])
	}
	return all
}

// Parent returns the array that a job is an element of, or nil.
func (t *Table) Parent(r *Record) *Record { return t.byID[r.Parent] }

// element returns an element of an array.
func (t *Table) element(parent *Record, index int) (*Record, error) {
	if parent.Spec.Array == nil || !parent.Spec.Array.Has(index) {
		return nil, fmt.Errorf("%w: %s has no element %d", ErrUnknown, parent.ID, index)
	}
	if r := t.arrays[parent.ID].elements[index]; r != nil {
		return r, nil
	}
	r := &Record{
		Version: Version, ID: ElementID(parent.ID, index), Parent: parent.ID, Index: index,
		Spec: parent.Spec.element(index), State: Accepted, Changes: parent.Changes[:1:1],
		Note: "its turn in the array has not come",
	}
	if parent.State.Final() {
		r.State, r.Changes = parent.State, parent.Changes[len(parent.Changes)-1:]
	}
	return r, nil
}

// Count fills in how many elements of an array are in which state.
func (t *Table) Count(r *Record) map[State]int {
	f := t.arrays[r.ID]
	if f == nil || r.Spec.Array == nil {
		return nil
	}
	counts := map[State]int{}
	for _, e := range f.elements {
		counts[e.State]++
	}
	if left := r.Spec.Array.Size() - f.next; left > 0 {
		counts[Accepted] += left
		if r.State.Final() {
			counts[r.State] += left
			counts[Accepted] -= left
		}
	}
	return counts
}

// FailedIndexes are the elements of an array that have not succeeded, or will not run.
func (t *Table) FailedIndexes(r *Record) (failed []int) {
	for n := range r.Spec.Array.Size() {
		index := r.Spec.Array.At(n)
		if e := t.arrays[r.ID].elements[index]; e == nil || e.State.Final() && e.State != Succeeded {
			failed = append(failed, index)
		}
	}
	return failed
}

// follow ends an array when all of it has ended, after a change of the array or of an element.
func (t *Table) follow(r *Record, ended bool) error {
	f := t.arrays[r.ID]
	if r.Parent != "" {
		f = t.arrays[r.Parent]
		if ended {
			f.live--
		}
	}
	if f == nil || f.record == nil || f.record.State.Final() || f.live > 0 {
		return nil
	}
	a := f.record
	if a.Wish != "" {
		return t.enter(a, a.Wish, a.Why)
	}
	if f.next < a.Spec.Array.Size() {
		return nil
	}
	failed := 0
	for _, e := range t.Elements(a) {
		if e.State != Succeeded {
			if failed++; failed == 1 {
				a.FailedCode = e.ExitCode()
			}
		}
	}
	if failed > 0 {
		return t.enter(a, Failed, fmt.Sprintf("%d of %d elements have not succeeded", failed, f.next))
	}
	return t.enter(a, Succeeded, "")
}

// Remove forgets a job that has ended, with its elements and its key. It returns all of them.
func (t *Table) Remove(r *Record) (removed []*Record, err error) {
	switch {
	case !r.State.Final():
		return nil, fmt.Errorf("%w: %s is %s; cancel it first", ErrRuns, r.ID, r.State)
	case r.Parent != "":
		return nil, specf("%s is part of an array; remove the array", r.ID)
	}
	removed = append(t.Elements(r), r)
	var puts []disk.Put
	for _, x := range removed {
		puts = append(puts, disk.Put{Bucket: disk.Jobs, Key: []byte(x.ID)})
		if x.Key != "" {
			puts = append(puts, disk.Put{Bucket: disk.Keys, Key: []byte(x.Key)})
		}
	}
	if err := t.store.Commit(puts...); err != nil {
		return nil, err
	}
	for _, x := range removed {
		t.remove(x)
	}
	return removed, nil
}

// Expired returns the jobs that are to be forgotten: those that ended before a time, and the oldest
// of more than so many.
func (t *Table) Expired(before time.Time, most int) (expired []*Record) {
	var ended []*Record
	for _, r := range t.byID {
		if r.State.Final() && r.Parent == "" {
			ended = append(ended, r)
		}
	}
	end := func(r *Record) time.Time { return r.Changes[len(r.Changes)-1].At }
	slices.SortFunc(ended, func(a, b *Record) int {
		if c := end(a).Compare(end(b)); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	for i, r := range ended {
		if end(r).Before(before) || len(ended)-i > most {
			expired = append(expired, r)
		}
	}
	return expired
}

// Digests are the contents that the jobs of the table refer to.
func (t *Table) Digests() map[string]bool {
	all := map[string]bool{}
	for _, r := range t.byID {
		all[r.Spec.Stdin] = true
		for _, f := range r.Spec.Inputs {
			all[f.Digest] = true
		}
		for i := range r.Attempts {
			for _, rank := range r.Attempts[i].Ranks {
				for _, f := range rank.Outputs {
					all[f.Digest] = true
				}
			}
		}
	}
	return all
}
