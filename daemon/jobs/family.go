package jobs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/protocol/custody"
)

// family is an array and those of its elements whose turn has come.
type family struct {
	record   *Record
	next     int // the elements before have had their turn
	elements map[int]*Record
	live     int // elements that have not ended
}

func (x *Index) family(id string) *family {
	f := x.arrays[id]
	if f == nil {
		f = &family{elements: map[int]*Record{}}
		x.arrays[id] = f
	}
	return f
}

// tidy drops a family of which nothing is left.
func (x *Index) tidy(id string) {
	if f := x.arrays[id]; f.record == nil && len(f.elements) == 0 {
		delete(x.arrays, id)
	}
}

// Spawn takes the next element of an array, if one may run: fewer elements are unfinished than its
// own limit and the given one. It returns nil if none may. Elements have the custodians of the
// array, and names that follow that of the array, so that all custodians of the array give an
// element the same name.
func (t *Table) Spawn(r *Record, limit int) *Record {
	f := t.arrays[r.ID]
	if at := r.Spec.Array.AtOnce; at > 0 {
		limit = min(limit, at)
	}
	index, is := r.Spec.Array.At(f.next)
	for is && f.elements[index] != nil {
		f.next++
		index, is = r.Spec.Array.At(f.next)
	}
	if r.State.Final() || r.Requested != "" || r.Held || !is || f.live >= limit {
		return nil
	}
	element := &Record{
		ID: ElementID(r.ID, index), Parent: r.ID, Index: index, Spec: r.Spec.element(index),
		Custody:    Name{r.Custody.By, r.Custody.Number + 1 + uint32(f.next)},
		Custodians: r.Custodians, User: r.User,
	}
	t.take(element)
	return element
}

// Elements returns the elements of an array that have had their turn, by index.
func (x *Index) Elements(r *Record) (all []*Record) {
	f := x.arrays[r.ID]
	if f == nil {
		return nil
	}
	for _, index := range slices.Sorted(maps.Keys(f.elements)) {
		all = append(all, f.elements[index])
	}
	return all
}

// Parent returns the array that a job is an element of, or nil.
func (x *Index) Parent(r *Record) *Record { return x.byID[r.Parent] }

// element returns an element of an array.
func (x *Index) element(parent *Record, index int) (*Record, error) {
	if parent.Spec.Array == nil || !parent.Spec.Array.Has(index) {
		return nil, fmt.Errorf("%w: %s has no element %d", ErrUnknown, parent.ID, index)
	}
	if r := x.arrays[parent.ID].elements[index]; r != nil {
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
func (x *Index) Count(r *Record) map[State]int {
	f := x.arrays[r.ID]
	if f == nil || r.Spec.Array == nil {
		return nil
	}
	counts := map[State]int{}
	for _, e := range f.elements {
		counts[e.State]++
	}
	if left := r.Spec.Array.Size() - len(f.elements); left > 0 {
		counts[Accepted] += left
		if r.State.Final() {
			counts[r.State] += left
			counts[Accepted] -= left
		}
	}
	return counts
}

// FailedIndexes are the elements of an array that have not succeeded, or will not run.
func (x *Index) FailedIndexes(r *Record) (failed []int) {
	for index := range r.Spec.Array.All {
		if e := x.arrays[r.ID].elements[index]; e == nil || e.State.Final() && e.State != Succeeded {
			failed = append(failed, index)
		}
	}
	return failed
}

// Settle notes how an array ends, once all of it has ended. It reports whether it is so.
func (t *Table) Settle(r *Record) bool {
	f := t.arrays[r.ID]
	if r.State.Final() || r.Result != "" || f.live > 0 {
		return r.Result != ""
	}
	if r.Requested == "" && len(f.elements) < r.Spec.Array.Size() {
		return false
	}
	failed := 0
	for _, e := range t.Elements(r) {
		if e.State != Succeeded {
			if failed++; failed == 1 {
				r.FailedCode = e.ExitCode()
			}
		}
	}
	switch {
	case r.Requested != "":
		r.Result = r.Requested
	case failed > 0:
		r.Result, r.Why = Failed, fmt.Sprintf("%d of %d elements have not succeeded", failed, len(f.elements))
	default:
		r.Result = Succeeded
	}
	t.NoteEnd(r)
	return true
}

// Begin notes when an array begins, before its custodians let it: that time is the one of its
// start.
func (t *Table) Begin(r *Record) {
	if r.Times.Started.IsZero() {
		r.Times.Started = t.now()
		t.change(r)
	}
}

// followArray follows the custodians of an array. Its attempts are those at coordinating it.
func (t *Table) followArray(r *Record, c custody.Record) {
	switch {
	case c.End == custody.Done && r.Result != "":
		t.enterAt(r, r.Result, r.Why, t.end(r))
	case c.End != 0:
		t.abandon(r, c.End)
	case !c.Attempt.IsNone() && r.State == Accepted:
		begin := r.Times.Started
		if begin.IsZero() {
			begin = t.now()
		}
		t.enterAt(r, Running, "", begin)
	}
}

// Kin returns a job with its elements.
func (x *Index) Kin(r *Record) []*Record { return append(x.Elements(r), r) }

// Expired returns the jobs to forget: jobs that ended before a time, and the oldest ones beyond a
// number.
func (x *Index) Expired(before time.Time, most int) (expired []*Record) {
	var ended []*Record
	for _, r := range x.byID {
		if r.State.Final() && r.Parent == "" {
			ended = append(ended, r)
		}
	}
	slices.SortFunc(ended, func(a, b *Record) int {
		return cmp.Or(a.ended().Compare(b.ended()), strings.Compare(a.ID, b.ID))
	})
	for i, r := range ended {
		if r.ended().Before(before) || len(ended)-i > most {
			expired = append(expired, r)
		}
	}
	return expired
}

// Digests are the contents that the jobs of the table refer to.
func (x *Index) Digests() map[string]bool {
	all := map[string]bool{}
	for _, r := range x.byID {
		for _, digest := range r.Contents() {
			all[digest] = true
		}
	}
	return all
}

// Sizes are the sizes in bytes of contents that a job refers to, by their digests, if it has them.
func (r *Record) Sizes() map[string]int64 {
	all := map[string]int64{}
	note := func(files []File) {
		for _, f := range files {
			all[f.Digest] = f.Size
		}
	}
	note(r.Spec.Inputs)
	for i := range r.Attempts {
		for _, rank := range r.Attempts[i].Ranks {
			note(rank.Outputs)
		}
	}
	return all
}

// Contents are the digests of the contents that a job refers to.
func (r *Record) Contents() (all []string) {
	if r.Spec.Stdin != "" {
		all = append(all, r.Spec.Stdin)
	}
	for _, f := range r.Spec.Inputs {
		all = append(all, f.Digest)
	}
	for i := range r.Attempts {
		for _, rank := range r.Attempts[i].Ranks {
			for _, f := range rank.Outputs {
				if f.Link == "" {
					all = append(all, f.Digest)
				}
			}
		}
	}
	return all
}
