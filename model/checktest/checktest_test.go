package checktest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
	"github.com/canvass-grid/canvass/protocol"
)

// fake is a test that records its log and failures.
type fake struct {
	testing.TB
	failed, logged []string
	deadline       time.Time
}

func (f *fake) Helper()      {}
func (f *fake) Name() string { return "TestLease/late (2)" }
func (f *fake) Logf(format string, args ...any) {
	f.logged = append(f.logged, fmt.Sprintf(format, args...))
}
func (f *fake) Errorf(format string, args ...any) {
	f.failed = append(f.failed, fmt.Sprintf(format, args...))
}
func (f *fake) Fatalf(format string, args ...any) { f.Errorf(format, args...) }
func (f *fake) Deadline() (time.Time, bool)       { return f.deadline, !f.deadline.IsZero() }

// counter counts from 0 to 4 and stops, or continues from 0 if it is a circle.
func counter(circle bool) checker.Model {
	return checker.Of(checker.Spec[int]{
		Init: []int{0},
		Next: func(n int, yield func(int, int)) {
			if n < 4 {
				yield(0, n+1)
			} else if circle {
				yield(0, 0)
			}
		},
		Encode: func(dst []byte, n int) []byte { return append(dst, byte(n)) },
		Properties: []checker.Predicate[int]{
			{Property: checker.Property{Name: "Small", Shape: checker.Always},
				Holds: func(n int) bool { return circle || n < 3 }},
			{Property: checker.Property{Name: "Nine", Shape: checker.Sometimes},
				Holds: func(n int) bool { return circle && n == 4 || n == 9 }},
		},
	})
}

func TestRun(t *testing.T) {
	text := checktest.Text(func(state []uint32) string { return fmt.Sprint("state ", state[0]) })
	tests := []struct {
		name    string
		circle  bool
		options []checktest.Option
		failed  []string
	}{
		{"fine", true, nil, nil},
		{"wrong", false, []checktest.Option{text}, []string{
			"Small (always): violated\n" +
				"   0 initially: state 0\n   1 step: state 1\n   2 step: state 2\n   3 step: state 3",
			"Nine (sometimes): violated: no state of the model is a witness",
			"deadlock (deadlock free): violated\n   0 initially: state 0\n   1 step: state 1\n" +
				"   2 step: state 2\n   3 step: state 3\n   4 step: state 4",
		}},
		{"expected", false, []checktest.Option{checktest.Expect("Small"), checktest.Expect("Nine"),
			checktest.Expect(checker.Deadlock)}, nil},
		{"expected in vain", true, []checktest.Option{checktest.Expect("Small"), checktest.Expect("Large")}, []string{
			"Small (always): holds, but it is expected to be violated; remove the expectation",
			"Large is expected to be violated, but the model has no such property; correct its name",
		}},
		{"counted", true, []checktest.Option{checktest.States(5)}, nil},
		{"miscounted", true, []checktest.Option{checktest.States(6)}, []string{"the model has 5 states, not 6"}},
		{"too deep", true, []checktest.Option{checktest.Options(checker.Options{MaxDepth: 2})}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var f fake
			checktest.Run(&f, counter(test.circle), test.options...)
			if test.name == "too deep" {
				require.NotEmpty(t, f.failed)
				assert.Contains(t, f.failed[0], "Small (always): inconclusive: the check stopped early")
				return
			}
			assert.Equal(t, test.failed, f.failed)
			assert.Contains(t, f.logged[0], "5 states")
		})
	}
}

func TestADeadlineIsNoPass(t *testing.T) {
	f := fake{deadline: time.Now()}
	checktest.Run(&f, counter(true))
	require.NotEmpty(t, f.failed)
	assert.Contains(t, f.failed[0], "inconclusive")
}

// The states of a model of values are shown as values.
func TestValuesAreShown(t *testing.T) {
	var f fake
	checktest.Run(&f, counter(false))
	assert.Equal(t, "Small (always): violated\n   0 initially: 0\n   1 step: 1\n   2 step: 2\n   3 step: 3",
		f.failed[0])
}

// A panic is reported with the state where it happened, and the run to it.
func TestAPanicIsReportedWithItsRun(t *testing.T) {
	var f fake
	checktest.Run(&f, checker.Of(checker.Spec[int]{
		Init: []int{0}, Encode: func(dst []byte, n int) []byte { return append(dst, byte(n)) },
		Next: func(n int, yield func(int, int)) {
			if n == 2 {
				panic("two")
			}
			yield(0, n+1)
		},
	}))
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], "in a state 2 steps deep (2): two; the run to that state\n"+
		"   0 initially: 0\n   1 step: 1\n   2 step: 2\n")
	assert.Contains(t, f.failed[0], "checktest_test.go:")
}

// A fault budget applies to systems only.
func TestAPlainModelHasNoBudget(t *testing.T) {
	var f fake
	checktest.Run(&f, counter(true), checktest.Budget(model.Budget{Crash: 1}))
	assert.Equal(t, []string{"checktest.Budget applies to systems only; call RunSystem, or leave it out"}, f.failed)
}

// A model with infinitely many states fails its test, with a hint.
func TestAModelWithoutEndEnds(t *testing.T) {
	endless := checker.Of(checker.Spec[int]{
		Init: []int{0}, Next: func(n int, yield func(int, int)) { yield(0, n+1) },
	})
	var f fake
	checktest.Run(&f, endless, checktest.Options(checker.Options{MemoryLimitBytes: 16 << 20}))
	require.NotEmpty(t, f.failed)
	assert.Contains(t, f.failed[0], "inconclusive: the check stopped early (memory)")
	assert.Contains(t, f.failed[0], "the states may be infinitely many")
}

// receiver is a node that notifies the other one, and counts what it receives.
type receiver struct {
	Self  protocol.NodeID
	Count uint8
}

func step(s receiver, in protocol.Input[bool, bool]) (receiver, protocol.Output[bool]) {
	var out protocol.Output[bool]
	switch in.Kind {
	case protocol.Command:
		to := protocol.NodeID{Address: 1 - s.Self.Address, Incarnation: 1}
		out.Send = []protocol.Envelope[bool]{{From: s.Self, To: to}}
	case protocol.Deliver:
		s.Count++
	}
	return s, out
}

// system has two nodes, each of which is notified once.
func system(t *testing.T) model.Checkable {
	t.Helper()
	sys := model.System[receiver, bool, bool]{
		Info:         model.Info{Name: "receiver"},
		Core:         model.Plain(step),
		Identity:     func(s receiver) protocol.NodeID { return s.Self },
		QuiescentEnd: func(*model.GlobalState[receiver, bool]) bool { return true },
		Properties: []model.Property[receiver, bool]{{
			Property: checker.Property{Name: "Once", Shape: checker.Always},
			Holds:    func(w *model.GlobalState[receiver, bool]) bool { return w.Slots[1].State.Count < 2 },
		}},
	}
	for i := range protocol.Address(2) {
		sys.Nodes = append(sys.Nodes, model.Node[receiver, bool]{
			Name: "AB"[i : i+1], Commands: [][]bool{{true}},
			State: receiver{Self: protocol.NodeID{Address: i, Incarnation: 1}},
		})
	}
	m, err := sys.Compile()
	require.NoError(t, err)
	return m
}

// A system with an unexpected violation fails, and the command in the failure replays it.
func TestFailuresOfSystemsCanBeReplayed(t *testing.T) {
	m := system(t)
	var fine fake
	checktest.RunSystem(&fine, m)
	assert.Empty(t, fine.failed)

	var f fake
	checktest.RunSystem(&f, m, checktest.Budget(model.Budget{Duplicate: 1}))
	require.Len(t, f.failed, 1)
	for _, part := range []string{
		"Once (always): violated\n", "1 command A true", "2 duplicate A->B false", "3 deliver A->B false",
	} {
		assert.Contains(t, f.failed[0], part)
	}
	command := regexp.MustCompile(`CHECKTEST_REPLAY=(\S+) go test -v -count=1 -run '\^TestLease\$/\^late \\\(2\\\)\$' \.`)
	for _, failure := range f.failed {
		found := command.FindStringSubmatch(failure)
		require.NotNil(t, found, failure)
		t.Setenv(checktest.Variable, found[1])
		var again fake
		checktest.RunSystem(&again, m, checktest.Budget(model.Budget{Duplicate: 1}))
		property, _, _ := strings.Cut(failure, " ")
		assert.Equal(t, []string{property + " does not hold at the end of this run"}, again.failed)
		assert.NotEmpty(t, again.logged)
	}
}

func TestReplaysThatDoNotFit(t *testing.T) {
	m := system(t)
	for run, says := range map[string]string{
		"Once":      "it must be a property, a colon",
		"Once:0,99": `step 2: there is no action "99"`,
		"Once:x":    `there is no action "x"`,
		"Nonsense:": "has no property",
		"Once:,,":   "",
	} {
		t.Setenv(checktest.Variable, run)
		var f fake
		checktest.RunSystem(&f, m)
		if says == "" {
			assert.Empty(t, f.failed)
			continue
		}
		require.Len(t, f.failed, 1, run)
		assert.Contains(t, f.failed[0], says)
	}
	t.Setenv(checktest.Variable, "")
	var f fake
	checktest.RunSystem(&f, m, checktest.Budget(model.Budget{Crash: 9}))
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], "impossible fault budget")
}

// green is a model in which nothing is put to the test: a LeadsTo without a trigger, a Quiescent
// without a quiescent state, a witness that is there from the beginning, a class that never
// happens.
func green() checker.Model {
	never := func(n int) bool { return n > 9 }
	property := func(name string, shape checker.Shape) checker.Predicate[int] {
		p := checker.Predicate[int]{
			Property: checker.Property{Name: name, Shape: shape}, Holds: func(n int) bool { return n < 3 },
		}
		if shape.Live() {
			p.Triggers = never
		}
		return p
	}
	return checker.Of(checker.Spec[int]{
		Init: []int{0}, Classes: []checker.Class{{Name: "step"}, {Name: "fail"}, {Name: "repair"}},
		Next:      func(n int, yield func(int, int)) { yield(0, (n+1)%3) },
		Quiescent: never,
		Properties: []checker.Predicate[int]{
			property("Answered", checker.LeadsTo), property("Clean", checker.Quiescent),
			property("Small", checker.Sometimes), property("Likely", checker.AlmostSurely),
			property("Possible", checker.Reaches),
		},
	})
}

// A vacuous success fails, unless it is allowed by name; and an allowance that is not needed fails
// too.
func TestWhatIsGreenForNothingFails(t *testing.T) {
	var f fake
	checktest.Run(&f, green())
	want := []string{
		"Answered (leads to): holds, but no state puts it to the test",
		"Clean (quiescent): holds, but no state puts it to the test",
		"Small (sometimes): holds, but an initial state is the witness",
		"Likely (almost surely): holds, but no state puts it to the test",
		"Possible (reaches): holds, but no state puts it to the test",
		`actions of class "fail" never happen; correct the model, or allow it by checktest.Vacuous("fail")`,
		`actions of class "repair" never happen`,
	}
	require.Len(t, f.failed, len(want))
	for i, says := range want {
		assert.Contains(t, f.failed[i], says)
	}

	f = fake{}
	var allowed []checktest.Option
	for _, name := range []string{"Answered", "Clean", "Small", "Likely", "Possible", "fail", "repair", "step"} {
		allowed = append(allowed, checktest.Vacuous(name))
	}
	checktest.Run(&f, green(), allowed...)
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], `checktest.Vacuous("step") is not needed`)

	f = fake{}
	checktest.Run(&f, green(), append(allowed[:7], checktest.Options(checker.Options{MaxStates: 1}))...)
	for _, failure := range f.failed {
		assert.NotContains(t, failure, "never happen", "a check that stopped early does not know")
		assert.NotContains(t, failure, "is not needed")
	}
}

// A test of a model without properties would pass by looking for deadlocks alone.
func TestAModelWithoutPropertiesFails(t *testing.T) {
	m := checker.Of(checker.Spec[int]{
		Init: []int{0}, Next: func(n int, yield func(int, int)) { yield(0, 1-n) },
	})
	var f fake
	checktest.Run(&f, m)
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], "the model has no properties, so the test looked only for deadlocks")

	f = fake{}
	checktest.Run(&f, m, checktest.Vacuous("properties"))
	assert.Empty(t, f.failed)
}

// A fault that the budget allows and that never happens fails, and so does a node that never gets
// its command.
func TestAFaultThatNeverHappensFails(t *testing.T) {
	m := system(t)
	var f fake
	checktest.RunSystem(&f, m, checktest.Budget(model.Budget{Spurious: 1}))
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], "timeout-early never happens, although the budget allows it")
	f = fake{}
	checktest.RunSystem(&f, m, checktest.Budget(model.Budget{Spurious: 1}), checktest.Vacuous("timeout-early"))
	assert.Empty(t, f.failed)
	f = fake{}
	checktest.RunSystem(&f, m, checktest.Vacuous("A"))
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], `checktest.Vacuous("A") is not needed`)
}

// The beginning and the end of a long run are shown: the end is the violation.
func TestTheEndOfALongRunIsShown(t *testing.T) {
	long := func(steps int) string {
		var f fake
		checktest.Run(&f, checker.Of(checker.Spec[int]{
			Init: []int{0}, Next: func(n int, yield func(int, int)) { yield(0, min(n+1, steps)) },
			Properties: []checker.Predicate[int]{{
				Property: checker.Property{Name: "Short", Shape: checker.Always},
				Holds:    func(n int) bool { return n < steps },
			}},
		}))
		require.Len(t, f.failed, 1)
		return f.failed[0]
	}
	text := long(250)
	for _, part := range []string{
		"\n   0 initially: 0\n", "\n  99 step: 99\n    … 51 steps are left out\n 151 step: 151\n",
	} {
		assert.Contains(t, text, part)
	}
	assert.True(t, strings.HasSuffix(text, "\n 250 step: 250"))
	assert.Equal(t, 201, strings.Count(text, "\n"))
	for _, whole := range []int{198, 199, 200} {
		assert.NotContains(t, long(whole), "…")
		assert.Contains(t, long(whole), fmt.Sprintf("\n %d step: %d", whole, whole))
	}
}

// A run that stops says so, and a verdict that rests on forced classes is logged.
func TestARunThatStopsSaysSo(t *testing.T) {
	build := func(stutters bool) checker.Model {
		return checker.Of(checker.Spec[int]{
			Init: []int{0}, Stutters: stutters,
			Next: func(n int, yield func(int, int)) { yield(0, (n+1)%3) },
			Properties: []checker.Predicate[int]{{
				Property: checker.Property{Name: "Arrives", Shape: checker.LeadsTo},
				Triggers: func(n int) bool { return n == 1 }, Holds: func(n int) bool { return n == 2 },
			}},
		})
	}
	var f fake
	checktest.Run(&f, build(true))
	require.Len(t, f.failed, 1)
	assert.Contains(t, f.failed[0], "   1 step: 1\n     and the run stops here: nothing more has to happen")
	f = fake{}
	checktest.Run(&f, build(false))
	assert.Empty(t, f.failed)
	require.Len(t, f.logged, 2)
	assert.Contains(t, f.logged[1], "Arrives holds only because runs do not stop before: step")
}

// A table without a row checks nothing.
func TestATableOfCountsIsNotEmpty(t *testing.T) {
	assert.Panics(t, func() { checktest.RunCounted(nil, nil, nil) })
}
