package checker_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
)

var fingerprints = []checker.Storage{checker.Fingerprint64, checker.Fingerprint128}

// requireHonest requires that a report claims no more than its storage can know.
func requireHonest(t require.TestingT, r *checker.Report) {
	switch {
	case r.Storage == checker.Exact:
		require.Zero(t, r.CollisionBound)
		require.Contains(t, r.Assurance(), "exact")
	case r.Storage == checker.Bitstate:
		require.EqualValues(t, 1, r.CollisionBound)
		require.False(t, r.Complete)
		require.Contains(t, r.Assurance(), "omitted")
		for _, o := range r.Outcomes {
			if o.Verdict == checker.Holds {
				require.NotNil(t, o.Path, "%s holds although states may have been omitted", o.Property.Name)
			}
			if o.Verdict == checker.Violated {
				require.NotNil(t, o.Path, "%s is violated because something was not found", o.Property.Name)
			}
		}
	default:
		require.Contains(t, r.Assurance(), fmt.Sprintf("%.2g", r.CollisionBound))
		require.Contains(t, r.Assurance(), r.Storage.String())
		if r.States > 1 {
			require.Positive(t, r.CollisionBound, "%s claims what only exact storage can", r.Storage)
		}
	}
}

// withoutLiveness drops the properties that only exact storage decides.
func (m *drawn) withoutLiveness() *drawn {
	var rules []rule
	for _, r := range m.rules {
		switch r.Shape {
		case checker.LeadsTo, checker.Reaches, checker.AlmostSurely:
		default:
			rules = append(rules, r)
		}
	}
	m.rules = rules
	return m
}

// TestEveryStorageDecidesAlike compares all storages on random models.
func TestEveryStorageDecidesAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t).withoutLiveness()
		o := everything
		exact := check(t, m, o)
		requireHonest(t, exact)
		o.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		o.HashSeed = rapid.Uint64().Draw(t, "seed")
		for _, s := range fingerprints {
			o.Storage = s
			r := check(t, m, o)
			requireHonest(t, r)
			require.Equal(t, exact.Outcomes, r.Outcomes, s)
			require.Equal(t, []uint64{exact.States, exact.Transitions}, []uint64{r.States, r.Transitions})
			require.Equal(t, exact.Complete, r.Complete)
		}
		o.Storage, o.BitstateBytes = checker.Bitstate, 1<<16
		r := check(t, m, o)
		requireHonest(t, r)
		for i, want := range exact.Outcomes {
			if got := r.Outcomes[i]; want.Path == nil {
				require.Equal(t, checker.Inconclusive, got.Verdict, got.Property.Name)
			} else {
				require.Equal(t, want.Verdict, got.Verdict, got.Property.Name)
				require.Equal(t, want.Path, got.Path)
			}
		}
	})
}

// TestEveryStorageCountsAlike pins the numbers of two-phase commit in all storages, with words that
// fit into one key and with words that have to be folded.
func TestEveryStorageCountsAlike(t *testing.T) {
	for _, c := range []struct {
		managers            int
		states, transitions uint64
	}{{3, 288, 1_145}, {5, 8_832, 58_145}, {7, 296_448, 2_744_705}, {8, 1_745_408, 18_507_777}} {
		if c.managers > 5 && testing.Short() {
			continue
		}
		for s := checker.Exact; s <= checker.Bitstate; s++ {
			for _, m := range []checker.Model{newTwoPhase(c.managers), scattered{newTwoPhase(c.managers)}} {
				if _, wide := m.(scattered); wide && c.managers > 7 {
					continue
				}
				r := check(t, m, checker.Options{
					Storage: s, BitstateBytes: 1 << 27, ContinueAfterViolation: true,
					Workers: 2, // two workers expose a cache that does not compare its keys
				})
				require.Equal(t, c.states, r.States, "%s, %d managers", s, c.managers)
				require.Equal(t, c.transitions, r.Transitions, s)
				require.Equal(t, s != checker.Bitstate, r.Complete)
				requireHonest(t, r)
			}
		}
	}
}

// scattered is two-phase commit in wide words: each is rotated, so that its values need all 32
// bits.
type scattered struct{ *twoPhase }

func (m scattered) Width() int { return 5 }
func (m scattered) NewWorker() checker.Worker {
	return &scatteredWorker{Worker: m.twoPhase.NewWorker()}
}
func (m scattered) Initial(add func([]uint32)) { add(make([]uint32, 5)) }

func widen(narrow, wide []uint32) {
	for i := range wide {
		wide[i] = narrow[(i+1)%3] * (0x9e3779b1 + 2*uint32(i))
	}
}

type scatteredWorker struct {
	checker.Worker
	narrow [3]uint32
	out    *checker.Successors
}

func (w *scatteredWorker) load(wide []uint32) []uint32 {
	for i := range w.narrow {
		from := (i + 2) % 3
		w.narrow[i] = wide[from] * inverse(0x9e3779b1+2*uint32(from))
	}
	return w.narrow[:]
}

// inverse is the inverse of an odd number modulo 2^32.
func inverse(a uint32) uint32 {
	x := a
	for range 5 {
		x *= 2 - a*x
	}
	return x
}

func (w *scatteredWorker) Holds(p int, state []uint32) bool { return w.Worker.Holds(p, w.load(state)) }

func (w *scatteredWorker) Expand(state []uint32, out *checker.Successors) {
	if w.out == nil {
		w.out = checker.NewSuccessors(3)
	}
	w.out.Reset()
	w.Worker.Expand(w.load(state), w.out)
	for i := range w.out.Len() {
		widen(w.out.At(i), out.Add(w.out.Class(i)))
	}
}

// A bitstate set that is far too small omits states. The report must say so, and nothing may hold.
func TestBitstateOmitsStatesAndSaysSo(t *testing.T) {
	r := check(t, newTwoPhase(7), checker.Options{Storage: checker.Bitstate, BitstateBytes: 1 << 15,
		ContinueAfterViolation: true})
	assert.Less(t, r.States, uint64(290_000))
	assert.Less(t, r.Coverage, 0.95)
	assert.Equal(t, checker.StoppedByOmission, r.Stopped)
	assert.Equal(t, checker.Inconclusive, outcome(t, r, "consistent").Verdict)
	assert.Equal(t, checker.Inconclusive, outcome(t, r, checker.Deadlock).Verdict)
	requireHonest(t, r)
	again := check(t, newTwoPhase(7), checker.Options{
		Storage: checker.Bitstate, BitstateBytes: 1 << 15, ContinueAfterViolation: true, Workers: 3,
	})
	assert.Equal(t, r.States, again.States, "the omitted states do not depend on the workers")
	roomy := check(t, newTwoPhase(7), checker.Options{Storage: checker.Bitstate, ContinueAfterViolation: true})
	assert.EqualValues(t, 296_448, roomy.States)
	assert.Greater(t, roomy.Coverage, 0.999)
}

func TestTheBoundGrowsWithTheSquareOfTheStates(t *testing.T) {
	bounds := map[checker.Storage]float64{}
	for _, s := range fingerprints {
		bounds[s] = check(t, newTwoPhase(5), checker.Options{Storage: s, ContinueAfterViolation: true}).CollisionBound
	}
	pairs := 8832.0 * 8831 / 2 // and three words take two steps
	assert.InEpsilon(t, 2*pairs/math.Exp2(64), bounds[checker.Fingerprint64], 1e-9)
	assert.InEpsilon(t, 16*pairs/math.Exp2(128), bounds[checker.Fingerprint128], 1e-9)
}

func TestLivenessNeedsExactStorage(t *testing.T) {
	for s := checker.Fingerprint64; s <= checker.Bitstate; s++ {
		for _, shape := range []checker.Shape{checker.LeadsTo, checker.Reaches, checker.AlmostSurely} {
			m := draw(2, [2]int{0, 1}).with(shape, set(1), set(0))
			_, err := checker.Check(context.Background(), m, checker.Options{Storage: s})
			require.ErrorContains(t, err, s.String())
			assert.ErrorContains(t, err, shape.String())
			assert.True(t, strings.Contains(err.Error(), "use storage exact"), err)
		}
	}
	for s := checker.Exact; s <= checker.Bitstate; s++ {
		parsed, err := checker.ParseStorage(s.String())
		require.NoError(t, err)
		assert.Equal(t, s, parsed)
	}
	_, err := checker.ParseStorage("hash")
	assert.ErrorContains(t, err, "exact, fingerprint64, fingerprint128, bitstate")
	assert.Equal(t, "storage(9)", checker.Storage(9).String())
	_, err = checker.Check(context.Background(), draw(1), checker.Options{Storage: 9})
	assert.ErrorContains(t, err, "not a storage")
}
