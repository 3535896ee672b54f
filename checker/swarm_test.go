package checker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// swarm runs a swarm that must not fail.
func swarm(t *testing.T, m checker.Model, o checker.Options, searches int, s checker.Shard) *checker.Report {
	t.Helper()
	r, err := checker.Swarm(context.Background(), m, o, searches, s)
	require.NoError(t, err)
	return r
}

// tiny are the options of searches that see a small part of crowd each.
var tiny = checker.Options{BitstateBytes: 1 << 10, MaxStates: 60_000, MaxDepth: 100}

// crowd is a graph of which one small search sees a part, with a number of witnesses.
func crowd(witnesses int) *drawn {
	m := scatter(rand.New(rand.NewPCG(5, 1)), 60_000)
	for i := range witnesses {
		m.with(checker.Sometimes, set(1000+i*1777), nil)
		m.rules[i].Name = fmt.Sprint("witness ", i)
	}
	return m
}

// found is how many properties hold according to a report.
func found(r *checker.Report) int {
	n := 0
	for _, o := range r.Outcomes {
		if o.Verdict == checker.Holds {
			n++
		}
	}
	return n
}

func TestASwarmSeesMoreThanItsSearches(t *testing.T) {
	m := crowd(30)
	whole := swarm(t, m, tiny, 12, checker.Shard{})
	assert.EqualValues(t, 12, whole.Searches)
	transitions := map[uint64]bool{}
	for j := range 12 {
		one := swarm(t, m, tiny, 12, checker.Shard{Index: j, Of: 12})
		assert.EqualValues(t, 1, one.Searches)
		assert.Less(t, found(one), found(whole), "search %d", j)
		assert.False(t, transitions[one.Transitions], "search %d goes the way of another", j)
		transitions[one.Transitions] = true
		assert.Equal(t, j%2 == 1, one.Order == checker.RandomWalk, "merged searches are of two kinds")
	}
	for _, o := range whole.Outcomes {
		if o.Verdict == checker.Holds {
			requireReplays(t, m, o.Path)
		}
	}
	assert.Equal(t, 30, found(whole), "all witnesses, but not the deadlock check")
}

func TestShardsMergeToTheWhole(t *testing.T) {
	m := crowd(10)
	whole := swarm(t, m, tiny, 7, checker.Shard{})
	var shards []*checker.Report
	for i := range 3 {
		shards = append(shards, swarm(t, m, tiny, 7, checker.Shard{Index: i, Of: 3}))
	}
	sum, err := checker.Merge(shards...)
	require.NoError(t, err)
	assert.InDelta(t, whole.IndependentCoverage, sum.IndependentCoverage, 1e-9)
	for _, r := range []*checker.Report{whole, sum} {
		r.Elapsed, r.MemoryBytes, r.IndependentCoverage = 0, 0, 0
		for i := range r.Outcomes { // of equally short paths the first is shown, and the order differs
			if p := r.Outcomes[i].Path; p != nil {
				p.Steps, p.Initial = make([]checker.PathStep, len(p.Steps)), 0
			}
		}
	}
	assert.Equal(t, whole, sum)
}

func TestASwarmProvesNothing(t *testing.T) {
	m := ladder(3).with(checker.Always, set(0, 1, 2, 3), nil).with(checker.Sometimes, set(3), nil)
	m.with(checker.LeadsTo, set(3), set(0)).with(checker.Reaches, set(3), set(0))
	m.with(checker.AlmostSurely, set(3), set(0))
	r := swarm(t, m, checker.Options{BitstateBytes: 1 << 10, MaxStates: 100}, 4, checker.Shard{})
	assert.Equal(t, checker.Inconclusive, r.Verdict())
	assert.Equal(t, 1, found(r), "the witness alone")
	assert.Equal(t, checker.StoppedByOmission, r.Stopped)
	assert.False(t, r.Complete)
	assert.Contains(t, r.Assurance(), "swarm of 4 searches")
	assert.InDelta(t, 1, r.CollisionBound, 0)
}

func TestASwarmEndsWithAViolation(t *testing.T) {
	m := ladder(3).with(checker.Always, allBut(4, 2), nil)
	r := swarm(t, m, tiny, 9, checker.Shard{})
	assert.EqualValues(t, 1, r.Searches)
	assert.Equal(t, checker.StoppedByViolation, r.Stopped)
	assert.Equal(t, []int{0, 1, 2}, visits(r.Outcomes[0].Path))
	o := tiny
	o.ContinueAfterViolation = true
	r = swarm(t, m, o, 9, checker.Shard{})
	assert.EqualValues(t, 9, r.Searches)
}

func TestASwarmEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := checker.Swarm(ctx, ladder(3), tiny, 9, checker.Shard{})
	require.NoError(t, err)
	assert.EqualValues(t, 1, r.Searches)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.Zero(t, r.Coverage)
	assert.Contains(t, r.Assurance(), "no estimate")
}

func TestCoverageIsCombined(t *testing.T) {
	m := crowd(1)
	even := func(i int) *checker.Report { return swarm(t, m, tiny, 9, checker.Shard{Index: i, Of: 9}) }
	a, b, walks := even(0), even(2), even(1)
	require.Greater(t, a.Coverage, 0.0)
	require.Less(t, a.Coverage, 1.0)
	assert.InDelta(t, a.Coverage, a.IndependentCoverage, 1e-12, "of one search")
	assert.Zero(t, walks.Coverage)
	sum, err := checker.Merge(a, walks, b)
	require.NoError(t, err)
	assert.InDelta(t, max(a.Coverage, b.Coverage), sum.Coverage, 1e-12)
	assert.InDelta(t, a.Coverage+b.Coverage-a.Coverage*b.Coverage, sum.IndependentCoverage, 1e-12)
	o := tiny
	o.MaxStates = 500
	early := swarm(t, m, o, 1, checker.Shard{})
	assert.Equal(t, checker.StoppedByStates, early.Stopped)
	assert.Zero(t, early.Coverage, "the coverage of a search that ended early is unknown")
}

func TestMergeKeepsTheShortestPath(t *testing.T) {
	m := draw(7, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 4}, [2]int{0, 5}, [2]int{5, 4}, [2]int{4, 4})
	m.with(checker.Always, allBut(7, 4), nil)
	var long, short *checker.Report
	for seed := uint64(0); long == nil || short == nil; seed++ {
		require.Less(t, seed, uint64(100))
		r := check(t, m, checker.Options{Order: checker.RandomWalk, WalkSeed: seed, MaxStates: 5, MaxDepth: 5})
		if len(r.Outcomes[0].Path.Steps) == 3 {
			short = r
		} else {
			long = r
		}
	}
	for _, reports := range [][]*checker.Report{{long, short}, {short, long}, {long, short, long}} {
		sum, err := checker.Merge(reports...)
		require.NoError(t, err)
		assert.Equal(t, checker.Violated, sum.Verdict())
		assert.Equal(t, []int{0, 5, 4}, visits(sum.Outcomes[0].Path))
		assert.Equal(t, checker.RandomWalk, sum.Order)
	}
}

// Merge does not rely on its inputs: a proof that a search cannot have is not taken from it.
func TestMergeTakesNoProof(t *testing.T) {
	m := ladder(3).with(checker.Always, set(0, 1, 2, 3), nil)
	r := check(t, m, checker.Options{Order: checker.RandomWalk, MaxStates: 10})
	r.Outcomes[0].Verdict = checker.Holds
	sum, err := checker.Merge(r)
	require.NoError(t, err)
	assert.Equal(t, checker.Inconclusive, sum.Outcomes[0].Verdict)
}

func TestMergeRefusesWhatDoesNotBelongTogether(t *testing.T) {
	_, err := checker.Merge()
	require.ErrorContains(t, err, "no reports")
	walk := checker.Options{Order: checker.RandomWalk, MaxStates: 10}
	one, other := check(t, ladder(3), walk), check(t, ladder(3).with(checker.Always, nil, nil), walk)
	_, err = checker.Merge(one, other)
	require.ErrorContains(t, err, "another model")
	_, err = checker.Merge(one, check(t, ladder(3), checker.Options{}))
	require.ErrorContains(t, err, "needs no merging")
}

func TestSwarmRefusesWhatMakesNoSense(t *testing.T) {
	for _, c := range []struct {
		o        checker.Options
		searches int
		shard    checker.Shard
	}{
		{searches: 0},
		{searches: 3, shard: checker.Shard{Index: 2, Of: 2}},
		{searches: 3, shard: checker.Shard{Index: -1, Of: 2}},
		{searches: 2, shard: checker.Shard{Index: 2, Of: 3}},
		{searches: 3, o: checker.Options{Storage: checker.Bitstate}},
		{searches: 3, o: checker.Options{Order: checker.RandomWalk}},
		{searches: 3, o: checker.Options{Checkpoint: "file"}},
		{searches: 3, o: checker.Options{MaxDepth: -1}},
	} {
		_, err := checker.Swarm(context.Background(), ladder(3), c.o, c.searches, c.shard)
		assert.ErrorContains(t, err, "checker: ")
	}
}
