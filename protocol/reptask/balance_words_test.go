package reptask_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol/reptask"
)

func drawIdle(t *rapid.T) []reptask.Idle {
	var all []reptask.Idle
	for i := range rapid.IntRange(0, 3).Draw(t, "jobs") {
		j := waiting(uint32(i+1), rapid.Int32Range(0, 4).Draw(t, "speed"), rapid.Int32Range(1, 4).Draw(t, "nodes"))
		for h := range rapid.IntRange(0, 4).Draw(t, "dependents") {
			j.Waiting = append(j.Waiting, behind('A'+byte(h), rapid.Uint32Range(0, 12).Draw(t, "ahead")))
		}
		j = waiting(uint32(i+1), j.Requirement[0], j.Requirement[1], j.Waiting...)
		j.MayDLB, j.MayQB = rapid.IntRange(0, 3).Draw(t, "DLB") > 0, rapid.IntRange(0, 3).Draw(t, "QB") > 0
		all = append(all, j)
	}
	return all
}

func drawSites(t *rapid.T) []place {
	var all []place
	for i := range rapid.IntRange(0, 5).Draw(t, "sites") {
		nodes := rapid.Int32Range(1, 4).Draw(t, "nodes")
		m := site('A'+byte(i), rapid.Int32Range(0, 4).Draw(t, "speed"), nodes, 0)
		for q := range m.queues {
			m.queues[q] = queue('A'+byte(i)+byte(q), rapid.Uint32Range(0, 4).Draw(t, "length"))
		}
		all = append(all, m)
	}
	return all
}

// The conditions of both algorithms on a site, written again with fractions.
func plainly(j reptask.Idle, m place, qb bool) bool {
	free, maxQL := int32(0), int64(0)
	for _, q := range m.queues {
		length := int64(q.Length)
		own := slices.ContainsFunc(j.Waiting, func(w reptask.Waiting) bool { return w.Host == q.Node })
		if own {
			length = max(0, length-1)
		}
		if length == 0 {
			free++
		}
		maxQL = max(maxQL, length)
	}
	speed, nodes := m.Coordinate[0], m.Coordinate[1]
	if !qb {
		if free == 0 {
			speed = 0
		}
		return j.Requirement[0] <= speed && j.Requirement[1] <= free
	}
	if len(j.Waiting) == 0 || j.Requirement[0] > speed || j.Requirement[1] > nodes {
		return false
	}
	average := new(big.Rat)
	for _, w := range j.Waiting {
		average.Add(average, big.NewRat(int64(w.Ahead), int64(len(j.Waiting))))
	}
	return big.NewRat(maxQL, 1).Cmp(average.Sub(average, big.NewRat(1, 1))) < 0
}

// below is the order of sites: strict as published, or that of Pareto.
func below(strict bool, a, b place) bool {
	lower, higher := 0, 0
	for k := range testDims {
		if a.Coordinate[k] < b.Coordinate[k] {
			lower++
		} else if a.Coordinate[k] > b.Coordinate[k] {
			higher++
		}
	}
	return strict && lower == testDims || !strict && lower > 0 && higher == 0
}

// decision has the inputs of DLB or QB.
type decision struct {
	qb, strict bool
	idle       []reptask.Idle
	sites      []place
}

func drawDecision(qb bool) *rapid.Generator[decision] {
	return rapid.Custom(func(t *rapid.T) decision {
		idle, sites := drawIdle(t), drawSites(t)
		return decision{qb, rapid.Bool().Draw(t, "strict"), idle, sites}
	})
}

// check compares the decision with the plain words and reports whether a job moves.
func (d *decision) check(t require.TestingT) (moves bool) {
	run, by, cfg := reptask.DLB, reptask.ByDLB, testConfig()
	if d.qb {
		run, by = reptask.QB, reptask.ByQB
	}
	cfg.StrictMinimum = d.strict
	view := reports(cfg, d.sites)
	o, ok := run(cfg, name('Y'), d.idle, view.Sites, view)
	for _, j := range d.idle {
		may := j.MayDLB && !d.qb || j.MayQB && d.qb
		fitting := slices.DeleteFunc(slices.Clone(d.sites), func(m place) bool { return !may || !plainly(j, m, d.qb) })
		if len(fitting) == 0 {
			continue
		}
		require.True(t, ok)
		require.Equal(t, j.Job, o.Job)
		require.Equal(t, by, o.By)
		i := slices.IndexFunc(fitting, func(m place) bool { return m.ID == o.Target })
		require.GreaterOrEqual(t, i, 0, "the target fits")
		for _, m := range fitting {
			require.False(t, below(cfg.StrictMinimum, m, fitting[i]), "%v is below %v", m.ID, o.Target)
		}
		return true
	}
	require.False(t, ok)
	return false
}

// The oldest job that any site fits moves to a site that fits it and that no other fitting site is
// below. Jobs move in only some of the decisions drawn, and a short run draws few. So fixed
// decisions, the same in every run, show that the comparison covers moves.
func TestBalanceAgainstPlainWords(t *testing.T) {
	for _, qb := range []bool{false, true} {
		draw, moves := drawDecision(qb), 0
		for seed := range 100 {
			if d := draw.Example(seed); d.check(t) {
				moves++
			}
		}
		require.Positive(t, moves, "fixed decisions that move a job")
		rapid.Check(t, func(t *rapid.T) {
			d := draw.Draw(t, "decision")
			d.check(t)
		})
	}
}
