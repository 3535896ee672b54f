package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// burst counts to a hundred, or begins there, and then takes thousands of steps at once, each to
// other joint values of its words.
type burst struct{ atOnce bool }

const burstWidth, burstBranches = 10, 3000

func burstVector(at, branch uint32, v []uint32) {
	v[0], v[1] = (at+1)*20_011, branch*1_009
	for i := range uint32(burstWidth - 2) {
		v[2+i] = (branch*(i+7) + branch/31) % 31
	}
}

func (burst) Width() int          { return burstWidth }
func (m burst) NewWorker() Worker { return m }
func (burst) Classes() []Class    { return []Class{{Name: "step"}} }
func (burst) Properties() []Property {
	return []Property{{Name: "Far", Shape: Sometimes}}
}
func (burst) Holds(_ int, s []uint32) bool { return s[0] == 102*20_011 }
func (burst) Triggers(int, []uint32) bool  { return false }
func (burst) Quiescent([]uint32) bool      { return false }
func (burst) QuiescentEnd([]uint32) bool   { return true }

func (m burst) Initial(add func([]uint32)) {
	for branch := range uint32(burstBranches) {
		if v := make([]uint32, burstWidth); branch == 0 || m.atOnce {
			burstVector(0, branch, v)
			add(v)
		}
	}
}

func (burst) Expand(s []uint32, o *Successors) {
	at := s[0]/20_011 - 1
	for branch := range uint32(burstBranches) {
		if at <= 100 && (branch == 0 || at == 100) {
			burstVector(at+1, branch, o.Add(0))
		}
	}
}

// newSearch begins a check that is breadth first.
func newSearch(ctx context.Context, m Model, o Options) (*breadthFirst, error) {
	e, err := newEngine(ctx, m, o)
	if err != nil {
		return nil, err
	}
	return e.search.(*breadthFirst), nil
}

// Thousands of new joint values in one round, none of them in the states found, do not stop the
// search.
func TestManyJointValuesInOneRound(t *testing.T) {
	for _, test := range []struct {
		atOnce bool
		states uint32
	}{{false, 101 + burstBranches}, {true, burstBranches + 100 + burstBranches}} {
		t.Run(fmt.Sprint(test.atOnce), func(t *testing.T) {
			e, err := newSearch(context.Background(), burst{test.atOnce}, Options{Workers: 1})
			require.NoError(t, err)
			defer e.engine.close()
			e.run()
			assert.Equal(t, statekey.Grouped, e.layout.Kind)
			assert.Equal(t, test.states, e.states.Count)
			assert.Equal(t, Holds, e.findings[0].verdict)
		})
	}
}

// seesaw has sixteen states in a row, which use as many bits as a key has, and two words that
// outgrow their bits in the successors, each in those of other states.
type seesaw struct{}

const seesawWidth = 6

func (seesaw) Width() int                   { return seesawWidth }
func (m seesaw) NewWorker() Worker          { return m }
func (seesaw) Classes() []Class             { return []Class{{Name: "step"}} }
func (seesaw) Properties() []Property       { return []Property{{Name: "Far", Shape: Sometimes}} }
func (seesaw) Holds(_ int, s []uint32) bool { return s[1] == 600 }
func (seesaw) Triggers(int, []uint32) bool  { return false }
func (seesaw) Quiescent([]uint32) bool      { return false }
func (seesaw) QuiescentEnd([]uint32) bool   { return true }
func (seesaw) Initial(add func([]uint32))   { add(make([]uint32, seesawWidth)) }

func (seesaw) Expand(s []uint32, o *Successors) {
	filled := []uint32{400, 400, 1200, 1200, 1200, 1200}
	switch {
	case s[2] == 0: // the first state
		for i := range uint32(16) {
			copy(o.Add(0), filled)
			o.words[len(o.words)-1] += i
		}
	case s[0] == 400 && s[1] == 400:
		for i := range uint32(16) {
			next := o.Add(0)
			copy(next, s)
			next[4] += i
			if s[5] < 1208 {
				next[0] = 600
			} else {
				next[1] = 600
			}
		}
	}
}

// A layout of keys has room for all words that an earlier one was too narrow for.
func TestWordsThatOutgrowTheirBitsInTurn(t *testing.T) {
	e, err := newSearch(context.Background(), seesaw{}, Options{Workers: 1})
	require.NoError(t, err)
	defer e.engine.close()
	e.run()
	assert.EqualValues(t, 1+16+16*16, e.states.Count)
	assert.NotEqual(t, statekey.Direct, e.layout.Kind)
	assert.Equal(t, Holds, e.findings[0].verdict)
}

// surge has levels of states with random words, whose number of bits varies by level and word. In
// runs of states one word has a few bits more.
type surge struct {
	width  int
	levels [][]uint32     // the vectors of a level, one after the other
	after  map[string]int // the level after that in which a vector first is
}

func drawSurge(t *rapid.T) surge {
	m := surge{width: rapid.IntRange(2, 10).Draw(t, "width"), after: map[string]int{}}
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	for l := range rapid.IntRange(1, 8).Draw(t, "levels") {
		about := rapid.IntRange(0, 2*statekey.DirectBits/m.width).Draw(t, "bits")
		if rapid.Bool().Draw(t, "full") {
			about = statekey.DirectBits / m.width // at the limit of one word
		}
		longer := rapid.SliceOfN(rapid.IntRange(0, 2), m.width, m.width).Draw(t, "longer")
		together := rapid.IntRange(1, 100).Draw(t, "together")
		var level []uint32
		for n := range rapid.IntRange(1, 400).Draw(t, "states") {
			v := make([]uint32, m.width)
			for i := range v {
				v[i] = r.Uint32N(1 << min(about, 29))
				if n/together%m.width == i {
					v[i] <<= longer[i]
				}
			}
			if _, met := m.after[fmt.Sprint(v)]; !met {
				m.after[fmt.Sprint(v)] = l + 1
				level = append(level, v...)
			}
		}
		m.levels = append(m.levels, level)
	}
	return m
}

func (m surge) Width() int                  { return m.width }
func (m surge) NewWorker() Worker           { return m }
func (m surge) Classes() []Class            { return []Class{{Name: "step"}} }
func (m surge) Properties() []Property      { return nil }
func (m surge) Holds(int, []uint32) bool    { return true }
func (m surge) Triggers(int, []uint32) bool { return false }
func (m surge) Quiescent([]uint32) bool     { return false }
func (m surge) QuiescentEnd([]uint32) bool  { return true }

func (m surge) Initial(add func([]uint32)) {
	for v := range slices.Chunk(m.levels[0], m.width) {
		add(v)
	}
}

// Expand leads to those states of the next level whose index modulo 8 is that of the first word or
// the second.
func (m surge) Expand(s []uint32, o *Successors) {
	next := m.after[fmt.Sprint(s)]
	if next == len(m.levels) {
		return
	}
	for i, v := range slices.Collect(slices.Chunk(m.levels[next], m.width)) {
		if i%8 == int(s[0]%8) || i%8 == int(s[1]%8) {
			copy(o.Add(0), v)
		}
	}
}

// reached counts the reachable states by the definition.
func (m surge) reached() int {
	met, open := map[string]bool{}, [][]uint32{}
	add := func(v []uint32) {
		if !met[fmt.Sprint(v)] {
			met[fmt.Sprint(v)] = true
			open = append(open, slices.Clone(v))
		}
	}
	m.Initial(add)
	for ; len(open) > 0; open = open[1:] {
		o := &Successors{width: m.width}
		m.Expand(open[0], o)
		for v := range slices.Chunk(o.words, m.width) {
			add(v)
		}
	}
	return len(met)
}

// However the words of states grow from level to level, the search comes to its end and finds each
// state once.
func TestKeysKeepUpWithWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawSurge(t)
		// No time is measured: only a search that never ends takes so long.
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		e, err := newSearch(ctx, m, Options{Workers: rapid.IntRange(1, 3).Draw(t, "workers")})
		require.NoError(t, err)
		defer e.engine.close()
		e.run()
		require.True(t, e.complete)
		require.EqualValues(t, m.reached(), e.states.Count)
	})
}

// A cancelled check does not wait until all keys are remade.
func TestRemakingKeysLooksAtTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e, err := newSearch(ctx, burst{atOnce: true}, Options{})
	require.NoError(t, err)
	defer e.engine.close()
	require.True(t, e.admitInitial())
	e.visit()
	require.Greater(t, e.visited.Count(), uint64(burstBranches))
	e.stopped = NotStopped

	_, ok := e.survey()
	require.True(t, ok)
	cancel()
	_, ok = e.survey()
	assert.False(t, ok)
	assert.Equal(t, StoppedByInterrupt, e.stopped)
	e.stopped = NotStopped
	assert.False(t, e.change(e.layout))
	assert.Equal(t, StoppedByInterrupt, e.stopped)
	assert.Zero(t, e.visited.Count(), "keys were made although the check was cancelled")
}
