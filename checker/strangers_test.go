package checker_test

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
)

// bag is a state with a slice, which counts to a bound and says how it came there.
type bag struct {
	at   int
	list []int
}

// bags is a right model: three counters, of which one goes on in each step.
func bags() checker.Spec[bag] {
	return checker.Spec[bag]{
		Init: []bag{{list: []int{2, 1, 0}}},
		Next: func(s bag, yield func(int, bag)) {
			for i := range s.list {
				if s.at < 6 {
					next := bag{s.at + 1, slices.Clone(s.list)}
					next.list[i]++
					yield(0, next)
				}
			}
		},
		Encode: func(dst []byte, s bag) []byte {
			dst = append(dst, byte(s.at))
			for _, n := range s.list {
				dst = append(dst, byte(n))
			}
			return dst
		},
		Properties: []checker.Predicate[bag]{
			{Property: checker.Property{Name: "Small", Shape: checker.Always}, Holds: func(s bag) bool { return s.at < 9 }},
			{
				Property: checker.Property{Name: "Rests", Shape: checker.Quiescent},
				Holds:    func(s bag) bool { return s.at == 6 },
			},
			{
				Property: checker.Property{Name: "Ends", Shape: checker.LeadsTo}, Holds: func(s bag) bool { return s.at == 6 },
				Triggers: func(s bag) bool { return s.at == 0 },
			},
		},
		Quiescent:    func(s bag) bool { return s.at == 6 },
		QuiescentEnd: func(s bag) bool { return s.at == 6 },
	}
}

// symmetricBags has interchangeable counters.
func symmetricBags() checker.Spec[bag] {
	spec := bags()
	spec.Properties = spec.Properties[:2] // without the LeadsTo, which forbids the reduction
	spec.Canonical = func(s bag) bag {
		s.list = slices.Clone(s.list)
		slices.Sort(s.list)
		return s
	}
	return spec
}

// stranger spoils a right model. The check must end with an error that says so.
type stranger struct {
	spoil func(*checker.Spec[bag])
	says  string
}

// sorting changes its argument everywhere, and deepSorting in one state at the end of a run.
func sorting(s bag) bool {
	slices.Sort(s.list)
	return s.at == 6
}

func deepSorting(s bag) bool {
	if s.at == 6 && s.list[0] == 8 {
		s.list[0] = 7
	}
	return s.at == 6
}

// changers are strangers that change their arguments, or values that they have returned.
func changers() map[string]stranger {
	return map[string]stranger{
		"Holds changes": {func(s *checker.Spec[bag]) {
			s.Properties[0].Holds = func(s bag) bool { return sorting(s) || true }
		}, `Holds of property "Small" changes the state that it is given`},
		"Holds of a LeadsTo changes": {func(s *checker.Spec[bag]) { s.Properties[2].Holds = sorting },
			`Holds of property "Ends" changes the state`},
		"Holds changes one state": {func(s *checker.Spec[bag]) { s.Properties[2].Holds = deepSorting },
			`Holds of property "Ends" changes the state`},
		"Triggers changes": {func(s *checker.Spec[bag]) { s.Properties[2].Triggers = sorting },
			`Triggers of property "Ends" changes the state`},
		"Quiescent changes": {func(s *checker.Spec[bag]) { s.Quiescent = sorting },
			"Quiescent changes the state"},
		"QuiescentEnd changes": {func(s *checker.Spec[bag]) { s.QuiescentEnd = deepSorting },
			"QuiescentEnd changes the state"},
		"Next changes": {func(s *checker.Spec[bag]) {
			next := s.Next
			s.Next = func(s bag, yield func(int, bag)) { slices.Sort(s.list); next(s, yield) }
		}, "Next changes the state that it is given"},
		"Encode changes": {func(s *checker.Spec[bag]) {
			encode := s.Encode
			s.Encode = func(dst []byte, s bag) []byte { slices.Sort(s.list); return encode(dst, s) }
		}, "Encode changes the state that it is given"},
		"Next reuses a buffer": {func(s *checker.Spec[bag]) {
			s.Next = func(s bag, yield func(int, bag)) {
				next := bag{s.at + 1, slices.Clone(s.list)}
				for i := 0; i < 3 && s.at < 3; i++ {
					next.list[i]++
					yield(0, next)
					next.list[i]--
				}
			}
		}, "a state has changed since Init listed it or Next yielded it"},
		"Next appends to one slice": {func(s *checker.Spec[bag]) {
			s.Init[0].list = make([]int, 0, 9)
			s.Next = func(s bag, yield func(int, bag)) {
				for i := 0; i < 2 && s.at < 4; i++ {
					yield(0, bag{s.at + 1, append(s.list, i)})
				}
			}
			s.Properties[0].Holds = func(s bag) bool { return s.at < 2 } // violated before the state is expanded
		}, "a state has changed since Init listed it or Next yielded it"},
		"yield is kept": {func(s *checker.Spec[bag]) {
			next, kept := s.Next, (func(int, bag))(nil)
			s.Next = func(s bag, yield func(int, bag)) {
				if kept != nil {
					kept(0, s)
				}
				kept = func(int, bag) {}
				if s.at == 0 {
					kept = yield
				}
				next(s, yield)
			}
		}, ""},
		"Next yields no class": {func(s *checker.Spec[bag]) {
			s.Next = func(s bag, yield func(int, bag)) { yield(1, s) }
		}, "Next yields an action of class 1; the classes have numbers from 0 to 0"},
	}
}

// fickles are strangers that are not functions: they give another result the next time.
func fickles() map[string]stranger {
	calls := 0
	fickle := func(bag) bool { calls++; return calls%2 == 0 }
	return map[string]stranger{
		"Next is fickle": {func(s *checker.Spec[bag]) {
			next := s.Next
			s.Next = func(s bag, yield func(int, bag)) {
				if calls++; calls%2 == 0 {
					next(s, yield)
				}
			}
		}, "Next yields other successors when called again"},
		"Encode is fickle": {func(s *checker.Spec[bag]) {
			encode := s.Encode
			s.Encode = func(dst []byte, s bag) []byte { calls++; return append(encode(dst, s), byte(calls)) }
		}, "Encode gives other bytes when called again"},
		"Holds is fickle": {func(s *checker.Spec[bag]) { s.Properties[2].Holds = fickle },
			`Holds of property "Ends" gives another answer`},
		"Triggers is fickle": {func(s *checker.Spec[bag]) { s.Properties[2].Triggers = fickle },
			`Triggers of property "Ends" gives another answer`},
		"Quiescent is fickle": {func(s *checker.Spec[bag]) { s.Quiescent = fickle },
			"Quiescent gives another answer"},
		"QuiescentEnd is fickle": {func(s *checker.Spec[bag]) { s.QuiescentEnd = fickle },
			"QuiescentEnd gives another answer"},
	}
}

// failures are strangers that panic, and one whose encoding drops a field.
func failures() map[string]stranger {
	failing := func(bag) bool { panic("no") }
	return map[string]stranger{
		"Holds panics": {func(s *checker.Spec[bag]) { s.Properties[0].Holds = failing },
			`Holds of property "Small" panicked in a state 0 steps deep ({at:0 list:[2 1 0]}): no`},
		"Triggers panics": {func(s *checker.Spec[bag]) { s.Properties[2].Triggers = failing },
			`Triggers of property "Ends" panicked in a state`},
		"Quiescent panics": {func(s *checker.Spec[bag]) { s.Quiescent = failing },
			"Quiescent panicked in a state"},
		"QuiescentEnd panics": {func(s *checker.Spec[bag]) { s.QuiescentEnd = failing },
			"QuiescentEnd panicked in a state 6 steps deep"},
		"Holds makes its goroutine exit": {func(s *checker.Spec[bag]) {
			s.Properties[0].Holds = func(s bag) bool {
				if s.at == 3 {
					runtime.Goexit()
				}
				return true
			}
		}, `Holds of property "Small" panicked in a state 3 steps deep`},
		"Next panics": {func(s *checker.Spec[bag]) {
			s.Next = func(bag, func(int, bag)) { panic(errors.New("no")) }
		}, "Next panicked in a state 0 steps deep"},
		"Encode panics": {func(s *checker.Spec[bag]) {
			encode := s.Encode
			s.Encode = func(dst []byte, s bag) []byte {
				if s.at == 3 {
					panic("no")
				}
				return encode(dst, s)
			}
		}, "Encode panicked in a state 2 steps deep"},
		"Encode drops a field of an initial state": {func(s *checker.Spec[bag]) {
			s.Init = append(s.Init, bag{list: []int{9, 9, 9}})
			s.Encode = func(dst []byte, s bag) []byte { return append(dst, byte(s.at), byte(len(s.list))) }
			s.Properties[0].Holds = func(s bag) bool { return s.list[0] != 9 }
		}, "Encode gives the same bytes for two states that differ"},
	}
}

// Strangers write functions that are wrong. Each of these gave a verdict without an error, or an
// error that blamed another function. Now the check fails, and names the function.
func TestBadStrangers(t *testing.T) {
	for _, strangers := range []func() map[string]stranger{changers, fickles, failures} {
		for name := range strangers() {
			t.Run(name, func(t *testing.T) {
				for _, o := range []checker.Options{
					{Workers: 1}, {Workers: 3, ContinueAfterViolation: true}, {Workers: 1, Order: checker.DepthFirst},
				} {
					if o.Workers > 1 && testing.Short() {
						continue // data shared by these functions is a data race, which its detector reports itself
					}
					spec, c := bags(), strangers()[name]
					c.spoil(&spec)
					_, err := checker.Check(t.Context(), checker.Of(spec), o)
					require.ErrorContains(t, err, c.says, "%+v", o)
				}
			})
		}
	}
	r := check(t, checker.Of(bags()), checker.Options{})
	assert.Equal(t, checker.Holds, r.Verdict(), "the model is right")
	assert.Equal(t, r.States, r.Audited)
}

// A Canonical that is wrong is named, and no report shows a run that shows nothing.
func TestBadStrangersAndSymmetry(t *testing.T) {
	calls := 0
	canonical := symmetricBags().Canonical
	for name, c := range map[string]struct {
		spoil func(*checker.Spec[bag])
		says  string
	}{
		"changes": {func(s *checker.Spec[bag]) {
			s.Canonical = func(s bag) bag { slices.Sort(s.list); return s }
		}, "Canonical changes the state that it is given"},
		"is fickle": {func(s *checker.Spec[bag]) {
			s.Canonical = func(s bag) bag {
				if calls++; calls%2 == 0 {
					return canonical(s)
				}
				return s
			}
		}, "Canonical"},
		"panics": {func(s *checker.Spec[bag]) {
			s.Canonical = func(bag) bag { panic("no") }
		}, "Canonical panicked"},
		"is not final": {func(s *checker.Spec[bag]) {
			s.Canonical = func(s bag) bag {
				s.list = slices.Clone(s.list)
				s.list[0] = max(s.list[0]-1, 0)
				return s
			}
		}, "Canonical changes a state that it has returned"},
		"drops what a witness needs": {func(s *checker.Spec[bag]) {
			s.Canonical = func(s bag) bag {
				s = canonical(s)
				s.list[2] = min(s.list[2], 5)
				return s
			}
			s.Properties[0] = checker.Predicate[bag]{
				Property: checker.Property{Name: "Seven", Shape: checker.Sometimes},
				Holds:    func(s bag) bool { return slices.Contains(s.list, 7) },
			}
		}, `Holds of property "Seven" has another value (it is given {at:5 list:[7 1 0]} and returns {at:5 list:[0 1 5]})`},
		"violates what holds": {func(s *checker.Spec[bag]) {
			s.Canonical = func(s bag) bag {
				if s = canonical(s); s.at == 6 {
					s.list[2] = 50
				}
				return s
			}
			s.Properties[0].Holds = func(s bag) bool { return s.list[2] < 20 }
		}, "Canonical returns"},
		"is not a symmetry of Next": {func(s *checker.Spec[bag]) {
			next := s.Next
			s.Next = func(s bag, yield func(int, bag)) {
				if s.list[0] < 3 { // the first counter blocks all others
					next(s, yield)
				}
			}
			s.QuiescentEnd = func(bag) bool { return true }
			s.Properties = s.Properties[:1]
		}, "the successors are others"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, o := range []checker.Options{{Workers: 1}, {Workers: 3, ContinueAfterViolation: true}} {
				if o.Workers > 1 && testing.Short() {
					continue
				}
				calls, o.Reduce = 0, true
				spec := symmetricBags()
				c.spoil(&spec)
				_, err := checker.Check(t.Context(), checker.Of(spec), o)
				require.ErrorContains(t, err, c.says)
			}
		})
	}
	r := check(t, checker.Of(symmetricBags()), checker.Options{Reduce: true})
	assert.Equal(t, checker.Holds, r.Verdict(), "the model is right")
	assert.Equal(t, []string{"symmetry"}, r.Reductions)
}

// pairs are two counters, of which each may go on, and a mark that a step far away makes.
func pairs(most int, mark func(s [3]int) bool) checker.Spec[[3]int] {
	return checker.Spec[[3]int]{
		Init: [][3]int{{}},
		Next: func(s [3]int, yield func(int, [3]int)) {
			for i := range 2 {
				if next := s; s[i] < most {
					next[i]++
					if mark(next) {
						next[2] = 1
					}
					yield(0, next)
				}
			}
		},
		Canonical: func(s [3]int) [3]int { s[0], s[1] = min(s[0], s[1]), max(s[0], s[1]); return s },
		Properties: []checker.Predicate[[3]int]{{
			Property: checker.Property{Name: "Unmarked", Shape: checker.Always},
			Holds:    func(s [3]int) bool { return s != [3]int{most, most, 1} },
		}},
		QuiescentEnd: func(s [3]int) bool { return s[0]+s[1] == 2*most },
	}
}

// A Canonical that is wrong in few states, far from the initial ones, hides from a sample of the
// representatives. Each of these gave *holds*: all states of a small model are compared.
func TestACanonicalThatIsWrongFarAway(t *testing.T) {
	for name, c := range map[string]struct {
		mark      func(s [3]int) bool
		canonical func(s [3]int) [3]int
		says      string
	}{
		"merges states with other successors": {func(s [3]int) bool { return s[0] == 29 && s[1] == 1 }, nil,
			"Canonical returns a state that is not equivalent to its argument: "},
		"forgets a field": {func(s [3]int) bool { return s[0]+s[1] == 31 && min(s[0], s[1]) == 2 },
			func(s [3]int) [3]int { s[2] = 0; return s }, `Holds of property "Unmarked" has another value`},
		"is not final": {func([3]int) bool { return false }, func(s [3]int) [3]int {
			if s[1] == 29 && s[0] > 20 {
				s[0]--
			}
			return s
		}, "in a state 50 steps deep ([29 21 0]): Canonical returns a state that is not equivalent"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				spec := pairs(30, c.mark)
				if canonical := spec.Canonical; c.canonical != nil {
					spec.Canonical = func(s [3]int) [3]int { return c.canonical(canonical(s)) }
				}
				_, err := checker.Check(t.Context(), checker.Of(spec), checker.Options{Workers: workers, Reduce: true})
				require.ErrorContains(t, err, c.says)
			}
		})
	}
	right := pairs(30, func(s [3]int) bool { return s[0] == 29 && s[1] == 29 })
	r := check(t, checker.Of(right), checker.Options{Reduce: true})
	assert.Equal(t, checker.Violated, r.Verdict(), "a right Canonical finds the violation")
}

// A predicate that depends on the time, or on how often it was called, may answer alike when it is
// called twice in a row.
func TestPredicatesAreAskedAgainAtTheEnd(t *testing.T) {
	for _, shape := range []checker.Shape{checker.Always, checker.Sometimes} {
		for _, order := range []checker.Order{checker.BreadthFirst, checker.DepthFirst} {
			spec := pairs(60, func([3]int) bool { return false })
			var late atomic.Bool
			spec.Properties[0].Shape = shape
			spec.Properties[0].Holds = func(s [3]int) bool {
				late.CompareAndSwap(false, s[0] == 60)
				return (shape == checker.Always) != (late.Load() && s[0]+s[1] == 1)
			}
			_, err := checker.Check(t.Context(), checker.Of(spec), checker.Options{Order: order, Workers: 1})
			require.ErrorContains(t, err, `Holds of property "Unmarked" gives another answer when called again later`)
		}
	}
}

// A path is compared with the property that it is to show, also where no audit looked.
func TestPathsShowWhatTheyShould(t *testing.T) {
	const deep = 6000
	m := func(shape checker.Shape, wrong int) checker.Model {
		return checker.Of(checker.Spec[int]{
			Init: []int{0},
			Next: func(n int, yield func(int, int)) {
				if n < deep {
					yield(0, n+1)
				}
			},
			Canonical: func(n int) int {
				if n == wrong {
					return math.MaxInt32
				}
				return n
			},
			QuiescentEnd: func(n int) bool { return n == deep },
			Quiescent:    func(n int) bool { return n >= deep },
			Properties: []checker.Predicate[int]{{
				Property: checker.Property{Name: "P", Shape: shape},
				Holds:    func(n int) bool { return (n <= deep) == (shape != checker.Sometimes) },
			}},
		})
	}
	for _, shape := range []checker.Shape{checker.Always, checker.Sometimes, checker.Quiescent} {
		_, err := checker.Check(t.Context(), m(shape, deep-1), checker.Options{Reduce: true})
		require.ErrorContains(t, err, "Canonical returns", shape)
	}
}

// A field that Encode drops, and that matters nowhere but deep in a run, is noticed: at once where
// two states can be compared with ==, and in other types as well.
func TestEncodeIsComparedAtAnyDepth(t *testing.T) {
	type plain struct{ n, secret int }
	const branch, bad = 6000, 6500
	_, err := checker.Check(t.Context(), checker.Of(checker.Spec[plain]{
		Init: []plain{{}},
		Next: func(s plain, yield func(int, plain)) {
			if s.n < 7000 {
				yield(0, plain{s.n + 1, s.secret})
			}
			if s.n == branch {
				yield(0, plain{s.n + 1, 1})
			}
		},
		Encode:       func(dst []byte, s plain) []byte { return append(dst, byte(s.n), byte(s.n>>8)) },
		QuiescentEnd: func(plain) bool { return true },
		Properties: []checker.Predicate[plain]{{
			Property: checker.Property{Name: "P", Shape: checker.Always},
			Holds:    func(s plain) bool { return s.secret == 0 },
		}},
	}), checker.Options{Workers: 1})
	require.ErrorContains(t, err, "Encode gives the same bytes for two states")
	type listed struct {
		n      int
		secret []int
	}
	_, err = checker.Check(t.Context(), checker.Of(checker.Spec[listed]{
		Init: []listed{{}},
		Next: func(s listed, yield func(int, listed)) {
			if s.n < 7000 {
				yield(0, listed{s.n + 1, s.secret})
			}
			if s.n == branch {
				yield(0, listed{s.n + 1, []int{1}})
			}
		},
		Encode:       func(dst []byte, s listed) []byte { return append(dst, byte(s.n), byte(s.n>>8)) },
		QuiescentEnd: func(listed) bool { return true },
		Properties: []checker.Predicate[listed]{{
			Property: checker.Property{Name: "P", Shape: checker.Always},
			Holds:    func(s listed) bool { return s.n < bad || len(s.secret) == 0 },
		}},
	}), checker.Options{Workers: 1})
	require.ErrorContains(t, err, "Encode gives the same bytes for two states that differ in their "+
		"successors or in a property, 499 steps later")
}

// The sample of states in which functions are called again is the same with any number of workers
// and after a resume, and the report has it.
func TestTheSampleIsTheSameInEveryRun(t *testing.T) {
	decode := func(b []byte) (uint32, error) {
		return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24, nil
	}
	one := check(t, counter(bound, nil), checker.Options{Workers: 1})
	assert.Greater(t, one.Audited, uint64(256+(bound-256)/400))
	assert.Less(t, one.Audited, uint64(256+(bound-256)/160))
	assert.Contains(t, one.String(), ": the first 256, and one in 256 of the others")
	three := check(t, counter(bound, nil), checker.Options{Workers: 3})
	assert.Equal(t, one.Audited, three.Audited)
	o := checker.Options{Checkpoint: t.TempDir() + "/file", MaxStates: 9000}
	check(t, counterOf(bound, nil, decode), o)
	o.MaxStates, o.Resume = 0, true
	assert.Equal(t, one.Audited, check(t, counterOf(bound, nil, decode), o).Audited)
	small := check(t, counter(100, nil), checker.Options{})
	assert.Equal(t, small.States, small.Audited)
	assert.NotContains(t, small.String(), "tested")
}

// A function of the options that panics ends the check with an error that names it.
func TestPanicsInOptionsAreNamed(t *testing.T) {
	called := 0
	o := checker.Options{ProgressEvery: 1, Progress: func(checker.Progress) { called++; panic("no") }}
	for order := checker.BreadthFirst; order <= checker.PCT; order++ {
		o.Order, called = order, 0
		_, err := checker.Check(t.Context(), counter(bound, nil), o)
		if called > 0 { // walks may end before the first second has passed
			require.EqualError(t, err, "checker: Options.Progress panicked: no", order)
		}
		require.LessOrEqual(t, called, 1)
		require.Equal(t, called > 0, order == checker.BreadthFirst || err != nil)
	}
	file := t.TempDir() + "/file"
	decode := func(b []byte) (uint32, error) { return uint32(b[0]) | uint32(b[1])<<8, nil }
	check(t, counterOf(bound, nil, decode), checker.Options{Checkpoint: file, MaxStates: 100})
	_, err := checker.Check(t.Context(), counterOf(bound, nil, decode), checker.Options{Checkpoint: file, Resume: true,
		Resumed: func(uint64, int) { panic("no") }})
	require.EqualError(t, err, "checker: Options.Resumed panicked: no")
	wrong := func(b []byte) (uint32, error) { return uint32(b[0]) + 1, nil }
	_, err = checker.Check(t.Context(), counterOf(bound, nil, wrong), checker.Options{Checkpoint: file, Resume: true})
	require.ErrorContains(t, err, "Spec.Decode is not the inverse of Spec.Encode")
}

// A function that changes one state, which is not in the sample, is named nevertheless: the check
// begins again and compares after each call. The path belongs to the model.
func TestAChangeOutsideTheSampleIsTraced(t *testing.T) {
	type deep struct{ list []int }
	const states, bad = 3000, 2001 // 2001 is not in the sample
	for name, c := range map[string]struct {
		spoil func(s *checker.Spec[deep], change func(deep) bool)
		says  string
	}{
		"nothing": {func(*checker.Spec[deep], func(deep) bool) {}, ""},
		"Holds of the second": {func(s *checker.Spec[deep], change func(deep) bool) { s.Properties[1].Holds = change },
			`Holds of property "B" changes the state that it is given`},
		"Holds of a LeadsTo": {func(s *checker.Spec[deep], change func(deep) bool) { s.Properties[2].Holds = change },
			`Holds of property "C" changes the state that it is given`},
		"Triggers": {func(s *checker.Spec[deep], change func(deep) bool) { s.Properties[2].Triggers = change },
			`Triggers of property "C" changes the state that it is given`},
		"Next": {func(s *checker.Spec[deep], change func(deep) bool) {
			next := s.Next
			s.Next = func(s deep, yield func(int, deep)) { next(s, yield); change(s) }
		}, "Next changes the state that it is given"},
	} {
		t.Run(name, func(t *testing.T) {
			holds := func(deep) bool { return true }
			spec := checker.Spec[deep]{
				Init: []deep{{[]int{0}}},
				Next: func(s deep, yield func(int, deep)) { yield(0, deep{[]int{(s.list[0] + 1) % states}}) },
				Encode: func(dst []byte, s deep) []byte {
					return append(dst, byte(s.list[0]), byte(s.list[0]>>8), byte(s.list[0]>>16))
				},
				Properties: []checker.Predicate[deep]{
					{Property: checker.Property{Name: "A", Shape: checker.Always}, Holds: holds},
					{Property: checker.Property{Name: "B", Shape: checker.Always}, Holds: holds},
					{Property: checker.Property{Name: "C", Shape: checker.LeadsTo}, Holds: holds, Triggers: holds},
				},
			}
			c.spoil(&spec, func(s deep) bool {
				if s.list[0] == bad {
					s.list[0] = states + 5
				}
				return true
			})
			m := checker.Of(spec)
			_, err := checker.Check(t.Context(), m, checker.Options{Workers: 1})
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
			var failed *checker.PanicError
			require.ErrorAs(t, err, &failed)
			for i, step := range failed.Path.Steps[:bad-1] {
				require.Equal(t, i, m.Value(step.State).list[0])
			}
			require.Len(t, failed.Path.Steps, bad+1)
		})
	}
}
