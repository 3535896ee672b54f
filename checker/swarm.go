package checker

import (
	"context"
	"errors"
	"fmt"
)

// Shard is a share of a swarm: of all its searches, those whose number leaves the remainder Index when divided by Of.
// The zero value is the whole.
type Shard struct{ Index, Of int }

// swarmBytes is the size of the bitstate sets of a swarm where the options do not tell.
const swarmBytes = 4 << 20

// The seeds of the walks of two searches of a swarm are so far apart.
const swarmStride = 1 << 32

// Swarm looks for violations and witnesses in a model that is too large to be searched, by many small searches that
// each see another part of it. It takes those of a shard, one after the other, and merges what they report: see
// [Merge]. Shards may be taken on different machines, at any time, and their reports be merged again.
//
// Searches with even numbers have storage [Bitstate], in a set so small that it fills up (of
// [Options.BitstateBytes]; 0 means 4 MiB), and are breadth first and depth first in turn: search j has the hash seed
// [Options.HashSeed] + j, and so omits other states than the others do. Those with odd numbers are walks of order
// [RandomWalk] and of order [PCT] in turn, within MaxStates and MaxDepth as of these, from the seed [Options.WalkSeed] + j * 2^32. All limits are for each search; but the tables of the model
// stay from one to the next.
//
// A swarm ends after the first search that finds a violation, unless [Options.ContinueAfterViolation] is set, and when
// the context does. It proves nothing: no property holds because of it but a Sometimes. LeadsTo, Reaches and
// AlmostSurely are left Inconclusive. The Order and the Storage of the options must be the zero values.
func Swarm(ctx context.Context, m Model, o Options, searches int, s Shard) (*Report, error) {
	if s == (Shard{}) {
		s.Of = 1
	}
	switch {
	case searches < 1:
		return nil, fmt.Errorf("checker: a swarm has at least one search, not %d", searches)
	case s.Of < 1 || s.Index < 0 || s.Index >= s.Of:
		return nil, fmt.Errorf("checker: there is no shard %d of %d: shards are numbered from 0", s.Index, s.Of)
	case s.Index >= searches:
		return nil, fmt.Errorf("checker: shard %d of %d has none of %d searches: use fewer shards", s.Index, s.Of, searches)
	case o.Order != BreadthFirst || o.Storage != Exact:
		return nil, errors.New("checker: a swarm chooses order and storage itself: leave Options.Order and Options.Storage as they are")
	case o.Checkpoint != "" || o.Resume:
		return nil, errors.New("checker: a swarm has no checkpoints: leave Options.Checkpoint and Options.Resume as they are")
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
		o.WalkSeed += uint64(search) * swarmStride
		return o
	}
	o.Order, o.Storage, o.safetyOnly = [...]Order{BreadthFirst, DepthFirst}[search/2%2], Bitstate, true
	o.HashSeed += uint64(search)
	if o.BitstateBytes == 0 {
		o.BitstateBytes = swarmBytes
	}
	return o
}
