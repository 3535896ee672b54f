package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Shard is a part of a swarm: the searches whose number is Index modulo Of. The zero value is the
// whole swarm.
type Shard struct{ Index, Of int }

// swarmBytes is the default size of the bitstate sets of a swarm.
const swarmBytes = 4 << 20

// swarmStride is the distance between the walk seeds of two searches of a swarm.
const swarmStride = 1 << 32

// Swarm looks for violations and witnesses in a model that is too large for one search, by many
// small searches that each see another part of it. It runs those of a shard, one after the other,
// and merges their reports: see [Merge]. Shards may run on different machines, at any time; merge
// their reports again.
//
// Searches with even numbers have storage [Bitstate], in a set so small that it fills up (of
// [Options.BitstateBytes]; 0 means 4 MiB). They are breadth first and depth first in turn. Search j
// has the hash seed [Options.HashSeed] + j, and so omits other states than the others do. Searches
// with odd numbers are walks of order [RandomWalk] and of order [PCT] in turn, with the seed
// [Options.WalkSeed] + j * 2^32. All limits, such as MaxStates and MaxDepth, are for each search.
// The tables of the model stay from one search to the next.
//
// A swarm ends after the first search that finds a violation, unless
// [Options.ContinueAfterViolation] is set, and when the context ends. It proves nothing: no
// property but a Sometimes can hold. LeadsTo, Reaches and AlmostSurely are Inconclusive. The Order
// and the Storage of the options must be the zero values.
func Swarm(ctx context.Context, m Model, o Options, searches int, s Shard) (*Report, error) {
	if s == (Shard{}) {
		s.Of = 1
	}
	switch {
	case searches < 1:
		return nil, fmt.Errorf("checker: a swarm of %d searches; it needs at least one", searches)
	case s.Of < 1 || s.Index < 0 || s.Index >= s.Of:
		return nil, fmt.Errorf("checker: there is no shard %d of %d; shards are numbered from 0", s.Index, s.Of)
	case s.Index >= searches:
		return nil, fmt.Errorf("checker: shard %d of %d has no search of a swarm of %d; use fewer shards",
			s.Index, s.Of, searches)
	case o.Order != BreadthFirst || o.Storage != Exact:
		return nil, errors.New("checker: a swarm chooses order and storage itself; " +
			"leave Options.Order and Options.Storage at zero")
	case o.Checkpoint != "" || o.Resume:
		return nil, errors.New("checker: a swarm has no checkpoints; " +
			"leave Options.Checkpoint and Options.Resume at zero")
	}
	var reports []*Report
	for j := s.Index; j < searches; j += s.Of {
		r, err := Check(ctx, m, o.swarming(j))
		if err != nil {
			return nil, fmt.Errorf("checker: search %d of the swarm: %w", j, err)
		}
		reports = append(reports, r)
		if ctx.Err() != nil || r.Verdict() == Violated && !o.ContinueAfterViolation {
			break
		}
	}
	return Merge(reports...)
}

// swarming returns the options of one search of a swarm.
func (o Options) swarming(search int) Options {
	if search%2 == 1 {
		o.Order = [...]Order{RandomWalk, PCT}[search/2%2]
		if o.Order != PCT {
			o.BugDepth = 0
		}
		o.WalkSeed += uint64(search) * swarmStride
		return o
	}
	o.MaxWalks, o.BugDepth = 0, 0
	o.Order, o.Storage, o.safetyOnly = [...]Order{BreadthFirst, DepthFirst}[search/2%2], Bitstate, true
	o.HashSeed += uint64(search)
	if o.BitstateBytes == 0 {
		o.BitstateBytes = swarmBytes
	}
	return o
}

// Merge combines the reports of searches of one model that each prove nothing: of storage
// [Bitstate], of order [RandomWalk] or [PCT], or merged before. It refuses other reports, which
// need no merging, and reports of different models, as far as properties and classes show.
//
// A violation or a witness that one search found is one of the whole. If several did, the path with
// the fewest steps is shown, and of equally short ones the first. Nothing else is decided. States,
// Transitions, ClassCounts, Walks, Audited, Cases and Elapsed are sums, in which states that
// several searches found count several times. Depth and the figures of memory are those of the
// largest search.
//
// Coverage is that of the best complete search, a lower bound for all of them together.
// [Report.IndependentCoverage] is their joint coverage if they omit states independently. The truth
// may be below it: a state that is reached only through many others is likely to be missed by all
// searches. Neither counts random walks, or searches that ended early, whose coverage is unknown.
func Merge(reports ...*Report) (*Report, error) {
	if len(reports) == 0 || slices.Contains(reports, nil) {
		return nil, errors.New("checker: there are no reports to merge, or one is nil")
	}
	first := reports[0]
	sum := &Report{
		Order: RandomWalk, CollisionBound: 1,
		Classes: slices.Clone(first.Classes), ClassCounts: make([]uint64, len(first.ClassCounts)),
	}
	for _, o := range first.Outcomes {
		sum.Outcomes = append(sum.Outcomes, Outcome{Property: o.Property})
	}
	for i, r := range reports {
		if err := sum.mergeable(r); err != nil {
			return nil, fmt.Errorf("checker: report %d cannot be merged: %w", i, err)
		}
		sum.count(r)
		sum.estimate(r)
		for p := range r.Outcomes {
			sum.Outcomes[p].merge(&r.Outcomes[p])
		}
		sum.Reductions = union(sum.Reductions, r.Reductions)
		sum.Declined = union(sum.Declined, r.Declined)
	}
	sum.Stopped = sum.whyStopped(reports)
	return sum, nil
}

// mergeable reports why a report cannot be merged into the sum, if that is so.
func (r *Report) mergeable(other *Report) error {
	if other.Searches == 0 && !other.Order.Samples() && other.Storage != Bitstate {
		return fmt.Errorf("it is of a search with storage %s, which needs no merging", other.Storage)
	}
	same := func(a, b Outcome) bool { return a.Property == b.Property }
	if len(other.ClassCounts) != len(r.ClassCounts) || !slices.Equal(r.Classes, other.Classes) ||
		!slices.EqualFunc(r.Outcomes, other.Outcomes, same) {
		return errors.New("it is of another model than the first; properties or classes differ")
	}
	return nil
}

// count adds up what can be counted.
func (r *Report) count(other *Report) {
	r.Searches += max(other.Searches, 1)
	r.States += other.States
	r.Transitions += other.Transitions
	r.Walks += other.Walks
	r.Audited += other.Audited
	r.Elapsed += other.Elapsed
	r.Depth = max(r.Depth, other.Depth)
	r.MemoryBytes = max(r.MemoryBytes, other.MemoryBytes)
	r.ModelBytes = max(r.ModelBytes, other.ModelBytes)
	r.DiskBytes = max(r.DiskBytes, other.DiskBytes)
	r.BytesPerState = max(r.BytesPerState, other.BytesPerState)
	for class, n := range other.ClassCounts {
		r.ClassCounts[class] += n
	}
	if !other.Order.Samples() {
		r.Order, r.Storage = BreadthFirst, Bitstate
	}
}

// estimate combines the coverage with that of another search.
func (r *Report) estimate(other *Report) {
	best, independent := other.Coverage, other.IndependentCoverage
	if other.Searches == 0 {
		if other.Stopped != StoppedByOmission {
			return
		}
		independent = best
	}
	r.Coverage = max(r.Coverage, best)
	r.IndependentCoverage = 1 - (1-r.IndependentCoverage)*(1-independent)
}

// merge adopts what another search found about the same property.
func (o *Outcome) merge(other *Outcome) {
	o.Cases += other.Cases
	found := other.Verdict == Violated || other.Verdict == Holds && o.Property.Shape == Sometimes
	if !found || o.Path != nil && (other.Path == nil || len(o.Path.Steps) <= len(other.Path.Steps)) {
		return
	}
	o.Verdict, o.Path = other.Verdict, other.Path
}

// whyStopped is why a swarm did not decide everything: the limit that a search ran into, if any
// did, and otherwise the kind of its searches.
func (r *Report) whyStopped(reports []*Report) Reason {
	if r.Verdict() == Violated {
		return StoppedByViolation
	}
	for _, other := range reports {
		if s := other.Stopped; s != StoppedByOmission && s != StoppedBySampling {
			return s
		}
	}
	if r.Storage == Bitstate {
		return StoppedByOmission
	}
	return StoppedBySampling
}

// union appends missing elements to a list.
func union(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
