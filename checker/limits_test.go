package checker_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// counter counts up to a bound, by one or by seven, and starts again. It has a property of every
// shape, each of which holds of the whole and none of which is decided early, except Sometimes,
// whose witness is the last state.
func counter(bound uint32, hook func(state uint32)) *checker.ValueModel[uint32] {
	return counterOf(bound, hook, nil)
}

func counterOf(bound uint32, hook func(uint32), decode func([]byte) (uint32, error)) *checker.ValueModel[uint32] {
	last := func(s uint32) bool { return s == bound }
	first := func(s uint32) bool { return s == 0 }
	yes := func(uint32) bool { return true }
	live := func(shape checker.Shape) checker.Predicate[uint32] {
		return checker.Predicate[uint32]{
			Property: checker.Property{Name: shape.String(), Shape: shape}, Holds: last, Triggers: first,
		}
	}
	return checker.Of(checker.Spec[uint32]{
		Init: []uint32{0},
		Next: func(s uint32, yield func(int, uint32)) {
			if hook != nil {
				hook(s)
			}
			if s == bound {
				yield(0, 0)
				return
			}
			yield(0, s+1)
			yield(0, min(s+7, bound))
		},
		Encode: func(dst []byte, s uint32) []byte {
			return append(dst, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		},
		Decode: decode,
		Properties: []checker.Predicate[uint32]{
			{Property: checker.Property{Name: "always", Shape: checker.Always}, Holds: yes},
			{Property: checker.Property{Name: "sometimes", Shape: checker.Sometimes}, Holds: last},
			{Property: checker.Property{Name: "quiescent", Shape: checker.Quiescent}, Holds: yes},
			live(checker.LeadsTo), live(checker.Reaches), live(checker.AlmostSurely),
		},
		Quiescent: last,
	})
}

const bound = 20_000

// requireUndecided requires that nothing is claimed.
func requireUndecided(t *testing.T, r *checker.Report, reason checker.Reason) {
	t.Helper()
	assert.Equal(t, reason, r.Stopped)
	assert.False(t, r.Complete)
	assert.Equal(t, checker.Inconclusive, r.Verdict())
	require.Len(t, r.Outcomes, 7)
	for _, o := range r.Outcomes {
		assert.Equal(t, checker.Inconclusive, o.Verdict, o.Property.Name)
		assert.Nil(t, o.Path, o.Property.Name)
	}
}

func TestWithoutLimitsAllIsDecided(t *testing.T) {
	roomy := checker.Options{MemoryLimitBytes: 1 << 40, MaxStates: 1 << 40, MaxDepth: 1 << 30}
	r := check(t, counter(bound, nil), roomy)
	assert.Equal(t, checker.Holds, r.Verdict())
	assert.Equal(t, checker.NotStopped, r.Stopped)
	assert.EqualValues(t, bound+1, r.States)
}

func TestInconclusiveWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := counter(bound, func(s uint32) {
		if s == bound/2 {
			cancel()
		}
	})
	r, err := checker.Check(ctx, m, checker.Options{})
	require.NoError(t, err)
	requireUndecided(t, r, checker.StoppedByInterrupt)
	assert.Greater(t, r.States, uint64(bound/4), "the coverage is reported")
}

func TestInconclusiveWhenInterruptedBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := checker.Check(ctx, counter(bound, nil), checker.Options{})
	require.NoError(t, err)
	requireUndecided(t, r, checker.StoppedByInterrupt)
	assert.EqualValues(t, 1, r.States)
}

func TestInconclusiveWhenTheDeadlinePasses(t *testing.T) {
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	r, err := checker.Check(ctx, counter(bound, nil), checker.Options{})
	require.NoError(t, err)
	requireUndecided(t, r, checker.StoppedByTimeout)
}

func TestInconclusiveWhenMemoryRunsOut(t *testing.T) {
	for _, limit := range []uint64{1, 1 << 10, 1 << 17, 300_000, 600_000} {
		r := check(t, counter(bound, nil), checker.Options{MemoryLimitBytes: limit})
		requireUndecided(t, r, checker.StoppedByMemory)
		assert.LessOrEqual(t, r.MemoryBytes, max(limit, 1<<16))
	}
}

func TestMemoryOfTheModelCounts(t *testing.T) {
	free := check(t, counter(bound, nil), checker.Options{})
	require.Greater(t, free.ModelBytes, uint64(bound))
	r := check(t, counter(bound, nil), checker.Options{MemoryLimitBytes: free.MemoryBytes + 1})
	assert.Equal(t, checker.StoppedByMemory, r.Stopped)
}

func TestInconclusiveWhenMaxStatesAreFound(t *testing.T) {
	r := check(t, counter(bound, nil), checker.Options{MaxStates: 500})
	requireUndecided(t, r, checker.StoppedByStates)
	assert.GreaterOrEqual(t, r.States, uint64(500))
	assert.Less(t, r.States, uint64(1000))
	r = check(t, counter(bound, nil), checker.Options{MaxStates: bound + 1})
	assert.True(t, r.Complete, "a limit that is just reached cuts nothing off")
	assert.Equal(t, checker.Holds, r.Verdict())
}

func TestInconclusiveBelowMaxDepth(t *testing.T) {
	r := check(t, counter(bound, nil), checker.Options{MaxDepth: 100})
	requireUndecided(t, r, checker.StoppedByDepth)
	assert.Equal(t, 100, r.Depth)
}

// The graph of all states may not fit although the states do. Verdicts of the search stay.
func TestLivenessAloneMayRemainUndecided(t *testing.T) {
	search := counter(bound, nil)
	free := check(t, search, checker.Options{})
	limit := free.ModelBytes + free.MemoryBytes - 4*bound
	r := check(t, counter(bound, nil), checker.Options{MemoryLimitBytes: limit})
	assert.Equal(t, checker.StoppedByMemory, r.Stopped)
	assert.True(t, r.Complete)
	for _, name := range []string{"always", "sometimes", "quiescent", checker.Deadlock} {
		assert.Equal(t, checker.Holds, outcome(t, r, name).Verdict, name)
	}
	for _, name := range []string{"leads to", "reaches", "almost surely"} {
		assert.Equal(t, checker.Inconclusive, outcome(t, r, name).Verdict, name)
	}
}

func TestInterruptedWhileLinking(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	again := false
	m := counter(bound, func(s uint32) {
		if s != bound {
			return
		}
		if again {
			cancel()
		}
		again = true
	})
	r, err := checker.Check(ctx, m, checker.Options{Workers: 1})
	require.NoError(t, err)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.True(t, r.Complete)
	assert.Equal(t, checker.Inconclusive, outcome(t, r, "leads to").Verdict)
	assert.Equal(t, checker.Holds, outcome(t, r, "always").Verdict)
}

func TestProgressIsCalledByTheCaller(t *testing.T) {
	calls, last := 0, checker.Progress{} // written without a lock: the race detector would object
	r := check(t, newTwoPhase(6), checker.Options{
		ContinueAfterViolation: true,
		ProgressEvery:          1,
		Progress: func(p checker.Progress) {
			calls++
			assert.GreaterOrEqual(t, p.States, last.States)
			assert.GreaterOrEqual(t, p.Depth, last.Depth)
			last = p
		},
	})
	assert.Positive(t, calls)
	assert.LessOrEqual(t, last.States, r.States)
	assert.Equal(t, checker.Searching, last.Phase)
}

func TestPanicOfTheModelIsReportedWithAPath(t *testing.T) {
	broken := errors.New("broken invariant")
	for _, workers := range []int{1, 3} {
		m := counter(bound, func(s uint32) {
			if s >= 7_000 {
				panic(broken)
			}
		})
		_, err := checker.Check(context.Background(), m, checker.Options{Workers: workers})
		var p *checker.PanicError
		require.ErrorAs(t, err, &p)
		assert.Equal(t, broken, p.Value)
		require.ErrorIs(t, err, broken)
		assert.EqualError(t, err, "checker: Next panicked in a state 1000 steps deep (7000): broken invariant")
		assert.Contains(t, string(p.Stack), "Expand")
		assert.EqualValues(t, 7_000, m.Value(p.Path.Steps[len(p.Path.Steps)-1].State))
		assert.Len(t, p.Path.Steps, 1_001)
	}
}

// A model that notices that it is broken may report it, and the error is not one of a panic.
func TestAModelMayReportThatItsContractIsBroken(t *testing.T) {
	m := counter(bound, func(s uint32) {
		if s >= 7_000 {
			panic(&checker.ContractError{Problem: "7000 is too much"})
		}
	})
	_, err := checker.Check(context.Background(), m, checker.Options{})
	var broken *checker.ContractError
	require.ErrorAs(t, err, &broken)
	assert.Equal(t, "7000 is too much", broken.Problem)
	assert.EqualError(t, err, "checker: the model breaks its contract in a state 1000 steps deep (7000): 7000 is too much")
}

// forgetful expands a state differently the second time.
type forgetful struct{ *drawn }

func (m *forgetful) NewWorker() checker.Worker { return m }

func (m *forgetful) Expand(state []uint32, out *checker.Successors) {
	m.drawn.Expand(state, out)
	m.edges[state[0]] = []arrow{{to: 0}}
}

func TestInconstantModelIsAnError(t *testing.T) {
	var broken *checker.ContractError
	m := &forgetful{draw(3, [2]int{0, 1}, [2]int{1, 2}).with(checker.Always, set(0, 1), nil)}
	_, err := checker.Check(context.Background(), m, checker.Options{Workers: 1})
	require.ErrorAs(t, err, &broken)
	assert.Contains(t, err.Error(), "Expand yields other successors when called again")
}

// fickle leaves a successor out when all states are expanded again, or gives an action another
// class.
type fickle struct {
	*drawn
	met   map[uint32]int
	again func(edges []arrow) []arrow
}

func (m *fickle) NewWorker() checker.Worker { return m }

func (m *fickle) Expand(state []uint32, out *checker.Successors) {
	edges := m.edges[state[0]]
	if m.met[state[0]] > 1 { // the search calls it twice
		m.edges[state[0]] = m.again(edges)
	}
	m.met[state[0]]++
	m.drawn.Expand(state, out)
	m.edges[state[0]] = edges
}

func TestLivenessNoticesOtherSuccessors(t *testing.T) {
	for name, again := range map[string]func([]arrow) []arrow{
		"vanishes": func(edges []arrow) []arrow { return edges[:min(1, len(edges))] },
		"class": func(edges []arrow) []arrow {
			other := slices.Clone(edges)
			for i := range other {
				other[i].class = 1
			}
			return other
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fickle{draw(4, [2]int{0, 1}, [2]int{0, 2}, [2]int{1, 3}, [2]int{2, 3}), map[uint32]int{}, again}
			m.classes = []checker.Class{{Name: "go"}, {Name: "jump"}}
			m.terminal = set(3)
			m.drawn = m.with(checker.LeadsTo, set(3), set(0))
			_, err := checker.Check(context.Background(), m, checker.Options{Workers: 1})
			var broken *checker.ContractError
			require.ErrorAs(t, err, &broken)
			assert.Contains(t, err.Error(), "the number of actions of class go has changed")
		})
	}
}

// nameless has a property without a name.
type nameless struct{ *drawn }

func (nameless) Properties() []checker.Property { return []checker.Property{{Shape: checker.Always}} }

func TestModelsThatMakeNoSenseAreErrors(t *testing.T) {
	for problem, m := range map[string]checker.Model{
		"Initial adds no state":       &drawn{edges: make([][]arrow, 1)},
		"has no shape":                draw(1).with(0, nil, nil),
		"may have; it must be Always": draw(1).with(checker.DeadlockFree, nil, nil),
		"two properties":              draw(1).with(checker.Always, nil, nil).with(checker.Always, nil, nil),
		"has no name":                 nameless{draw(1)},
		"classes": &drawn{initial: []int{0}, edges: make([][]arrow, 1),
			classes: []checker.Class{}},
		"class 1 has no name": &drawn{initial: []int{0}, edges: make([][]arrow, 1),
			classes: []checker.Class{{Name: "a"}, {}}},
		`two classes named "a"`: &drawn{initial: []int{0}, edges: make([][]arrow, 1),
			classes: []checker.Class{{Name: "a"}, {Name: "a"}}},
		`"a\tb" does not fit in a line`: &drawn{initial: []int{0}, edges: make([][]arrow, 1),
			classes: []checker.Class{{Name: "a\tb"}}},
	} {
		_, err := checker.Check(context.Background(), m, checker.Options{})
		assert.ErrorContains(t, err, problem)
	}
	_, err := checker.Check(context.Background(), nil, checker.Options{})
	assert.ErrorContains(t, err, "the model is nil")
	var never context.Context
	_, err = checker.Check(never, draw(1), checker.Options{})
	assert.ErrorContains(t, err, "the context is nil")
	for _, o := range []checker.Options{{Workers: -1}, {MaxDepth: -1}, {ProgressEvery: -1}} {
		_, err := checker.Check(context.Background(), draw(1), o)
		assert.ErrorContains(t, err, "negative")
	}
	_, err = checker.Check(context.Background(), draw(1), checker.Options{Workers: 1e9})
	assert.ErrorContains(t, err, "Workers is 1000000000; it may be at most 1024")
}

// unborn panics in its initial state.
type unborn struct{ *drawn }

func (m unborn) Initial(func([]uint32)) { panic("too early") }

func TestPanicInTheInitialStateIsReported(t *testing.T) {
	for order := checker.BreadthFirst; order <= checker.PCT; order++ {
		_, err := checker.Check(context.Background(), unborn{draw(1)}, checker.Options{Order: order})
		assert.EqualError(t, err, "checker: Initial panicked: too early", order)
	}
}

// hooked calls a function before it expands a state.
type hooked struct {
	*drawn
	hook func(state uint32)
}

func (m hooked) NewWorker() checker.Worker { return m }

func (m hooked) Expand(state []uint32, out *checker.Successors) {
	m.hook(state[0])
	m.drawn.Expand(state, out)
}

// star has one state in the middle, from which all others are reached.
func star(states int) *drawn {
	m := draw(states)
	for i := 1; i < states; i++ {
		m.edges[0] = append(m.edges[0], arrow{to: i})
	}
	return m
}

func TestModelThatEndsItsGoroutineIsAnError(t *testing.T) {
	m := hooked{star(201), func(s uint32) {
		if s == 150 {
			runtime.Goexit()
		}
	}}
	_, err := checker.Check(context.Background(), m, checker.Options{Workers: 2})
	assert.ErrorContains(t, err, "made to exit")
	assert.ErrorContains(t, err, "1 steps deep")
}

func TestOfSeveralPanicsTheFirstIsReported(t *testing.T) {
	m := hooked{star(401), func(s uint32) {
		if s >= 100 {
			panic(s)
		}
	}}
	for range 5 {
		_, err := checker.Check(context.Background(), m, checker.Options{Workers: 3})
		var p *checker.PanicError
		require.ErrorAs(t, err, &p)
		assert.EqualValues(t, 100, p.Value)
		assert.Equal(t, []int{0, 100}, visits(p.Path))
	}
}

// twoFaced is a model whose functions change once every state has been expanded, which the search
// does twice.
type twoFaced struct {
	*drawn
	expanded int
	then     func(state []uint32, out *checker.Successors)
}

func (m *twoFaced) NewWorker() checker.Worker { return m }

func (m *twoFaced) Expand(state []uint32, out *checker.Successors) {
	if m.expanded++; m.expanded > 2*len(m.edges) {
		m.then(state, out)
		return
	}
	m.drawn.Expand(state, out)
}

func TestInconstantModelIsNoticedWhileLinking(t *testing.T) {
	m := &twoFaced{drawn: draw(2, [2]int{0, 1}, [2]int{1, 0}).with(checker.LeadsTo, set(1), set(0))}
	m.then = func(_ []uint32, out *checker.Successors) { out.Add(0)[0] = 7 }
	_, err := checker.Check(context.Background(), m, checker.Options{Workers: 1})
	var broken *checker.ContractError
	require.ErrorAs(t, err, &broken)
}

func TestPanicWhileLinkingIsReportedWithAPath(t *testing.T) {
	m := &twoFaced{drawn: draw(2, [2]int{0, 1}, [2]int{1, 0}).with(checker.LeadsTo, set(1), set(0))}
	m.then = func(state []uint32, out *checker.Successors) {
		if m.expanded == 6 {
			panic("late")
		}
		m.drawn.Expand(state, out)
	}
	_, err := checker.Check(context.Background(), m, checker.Options{Workers: 1})
	var p *checker.PanicError
	require.ErrorAs(t, err, &p)
	assert.Equal(t, []int{0, 1}, visits(p.Path))
	assert.ErrorContains(t, err, "1 steps deep: late")
}

// ragged has an initial state of the wrong width.
type ragged struct{ *drawn }

func (m ragged) Initial(add func([]uint32)) { add(make([]uint32, 2)) }

func TestInitialStateOfTheWrongWidthIsAnError(t *testing.T) {
	_, err := checker.Check(context.Background(), ragged{draw(1)}, checker.Options{})
	assert.ErrorContains(t, err, "width")
}

func TestMemoryOfTheVectorsCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("with the race detector ten thousand rounds take a minute")
	}
	const states = 10_000 // one after the other, so that the buffers of a round stay small
	m := draw(states)
	for i := range m.edges {
		m.edges[i] = []arrow{{to: (i + 1) % states}}
	}
	m.width = 100
	r := check(t, m, everything)
	const packed = 100 * 12 / 8 // a chunk of 4096 states, which differ in their words
	assert.Greater(t, r.MemoryBytes, uint64(states*packed))
	assert.GreaterOrEqual(t, r.BytesPerState, float64(packed))
	r = check(t, m, checker.Options{MemoryLimitBytes: r.MemoryBytes / 2})
	assert.Equal(t, checker.StoppedByMemory, r.Stopped)
}

// A change while a path is made again is an error like any other.
func TestPanicWhileAPathIsMadeAgainIsReported(t *testing.T) {
	for _, order := range []checker.Order{checker.BreadthFirst, checker.DepthFirst, checker.RandomWalk} {
		m := &twoFaced{drawn: draw(3, [2]int{0, 1}, [2]int{1, 2}).with(checker.Always, set(0, 1), nil)}
		m.edges = m.edges[:2] // the third state is never expanded: it is where the check ends
		m.then = func(state []uint32, out *checker.Successors) {
			if state[0] == 1 {
				panic("late")
			}
			m.drawn.Expand(state, out)
		}
		_, err := checker.Check(context.Background(), m, checker.Options{Workers: 1, Order: order})
		var p *checker.PanicError
		require.ErrorAs(t, err, &p, "%v", order)
		assert.Equal(t, []int{0, 1}, visits(p.Path), "%v", order)
		assert.Equal(t, "late", p.Value)
	}
}

func TestBitstateSetThatIsLargerThanTheMemoryIsRefused(t *testing.T) {
	if checker.FreeMemoryBytes() == 0 {
		t.Skip("the free memory is unknown")
	}
	_, err := checker.Check(context.Background(), draw(1), checker.Options{Storage: checker.Bitstate,
		BitstateBytes: 1 << 60})
	assert.ErrorContains(t, err, "Options.BitstateBytes")
}

// multitude has the given number of initial states, one after the other, and of successors of each.
type multitude struct {
	*drawn
	initial, successors int
	made                int            // initial states and successors
	then                func(made int) // called with each of them
}

func (m *multitude) NewWorker() checker.Worker { return m }

func (m *multitude) make() uint32 {
	m.made++
	if m.then != nil {
		m.then(m.made)
	}
	return uint32(m.made)
}

func (m *multitude) Initial(add func([]uint32)) {
	for range m.initial {
		add([]uint32{m.make()})
	}
}

func (m *multitude) Expand(_ []uint32, out *checker.Successors) {
	for range m.successors {
		out.Add(0)[0] = m.make()
	}
}

// Every limit counts from the first initial state on, and within the successors of one state: a
// check that is to end does not first list millions of them.
func TestLimitsCountWhileStatesAreMade(t *testing.T) {
	const many, soon = 2_000_000, 40_000
	for name, m := range map[string]func() *multitude{
		"initial":    func() *multitude { return &multitude{drawn: draw(1), initial: many} },
		"successors": func() *multitude { return &multitude{drawn: draw(1), initial: 1, successors: many} },
	} {
		for _, order := range []checker.Order{checker.BreadthFirst, checker.DepthFirst, checker.RandomWalk} {
			t.Run(name+"/cancelled/"+order.String(), func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				m := m()
				m.then = func(made int) {
					if made == 1000 {
						cancel()
					}
				}
				r, err := checker.Check(ctx, m, checker.Options{Order: order, Workers: 1})
				require.NoError(t, err)
				assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
				assert.Equal(t, checker.Inconclusive, r.Verdict())
				assert.Less(t, m.made, soon)
			})
			t.Run(name+"/memory/"+order.String(), func(t *testing.T) {
				m := m()
				r := check(t, m, checker.Options{Order: order, Workers: 1, MemoryLimitBytes: 400_000})
				assert.Equal(t, checker.StoppedByMemory, r.Stopped)
				assert.Less(t, m.made, 4*soon)
			})
		}
	}
	m := &multitude{drawn: draw(1), initial: many}
	r := check(t, m, checker.Options{MaxStates: 100})
	assert.Equal(t, checker.StoppedByStates, r.Stopped)
	assert.Less(t, m.made, soon)
	assert.LessOrEqual(t, r.States, uint64(soon))
}

// The initial states of a Spec are a list, and the deadline counts while it is encoded.
func TestLimitsCountWhileInitialStatesAreEncoded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	encoded := 0
	m := checker.Of(checker.Spec[uint32]{
		Init: make([]uint32, 1_000_000), Next: func(uint32, func(int, uint32)) {},
		Encode: func(dst []byte, s uint32) []byte {
			if encoded++; encoded == 1000 {
				cancel()
			}
			return append(dst, byte(s))
		},
	})
	r, err := checker.Check(ctx, m, checker.Options{})
	require.NoError(t, err)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.Less(t, encoded, 10_000)
}

// A slow predicate does not hold a check up for a whole round.
func TestSlowPredicatesDoNotOutlastTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	m := slow{draw(1), func() {
		if asked++; asked == 10 {
			cancel()
		}
		if asked >= 10 {
			time.Sleep(time.Millisecond)
		}
	}}
	m.edges[0] = make([]arrow, 20_000)
	for i := range m.edges[0] {
		m.edges[0][i].to = i + 1
	}
	m.edges = append(m.edges, make([][]arrow, 20_000)...)
	m.drawn = m.with(checker.Always, nil, nil)
	r, err := checker.Check(ctx, m, checker.Options{Workers: 1})
	require.NoError(t, err)
	assert.Equal(t, checker.StoppedByInterrupt, r.Stopped)
	assert.Less(t, asked, 15_000)
}

// slow calls a function before it evaluates a predicate, which holds.
type slow struct {
	*drawn
	hook func()
}

func (m slow) NewWorker() checker.Worker { return m }

func (m slow) Holds(int, []uint32) bool {
	m.hook()
	return true
}

// A function of a model that calls Check gets an error, and the check around it goes on.
func TestACheckWithinACheckIsRefused(t *testing.T) {
	var nested error
	var m checker.Model
	m = checker.Of(checker.Spec[int]{
		Init: []int{0},
		Next: func(n int, yield func(int, int)) { yield(0, (n+1)%3) },
		Properties: []checker.Predicate[int]{{
			Property: checker.Property{Name: "P", Shape: checker.Always},
			Holds: func(n int) bool {
				if n == 2 && nested == nil {
					_, nested = checker.Check(context.Background(), m, checker.Options{})
				}
				return true
			},
		}},
	})
	r := check(t, m, checker.Options{Workers: 1})
	require.ErrorIs(t, nested, checker.ErrNested)
	require.Equal(t, uint64(3), r.States)
	_, err := checker.Check(t.Context(), m, checker.Options{Progress: func(checker.Progress) {
		_, err := checker.Check(context.Background(), m, checker.Options{})
		require.NoError(t, err, "a function of the options may check a model")
	}, ProgressEvery: time.Nanosecond})
	require.NoError(t, err)
}
