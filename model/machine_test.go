package model_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/traces"
)

// pair is a system twice: as the checker sees it and as a replayer does.
type pair struct {
	name    string
	model   checker.Model
	worker  checker.Worker
	machine traces.Machine
	initial []uint32
}

func newPair(m model.Checkable) *pair {
	p := &pair{name: m.Info().Name + ", " + m.Info().Budget.String(), model: m.Model(), machine: m.Machine()}
	p.worker = p.model.NewWorker()
	p.model.Initial(func(state []uint32) { p.initial = slices.Clone(state) })
	return p
}

// canModel returns a model of the catalogue by name.
func canModel(name string) model.Checkable {
	for _, m := range can.Models() {
		if m.Info().Name == name {
			return m
		}
	}
	panic("no model " + name)
}

// walkedToys are the toy systems whose budgets are wanted.
func walkedToys(t *testing.T, wanted func(model.Budget) bool) []*pair {
	var all []*pair
	for _, c := range toyCases() {
		if wanted(c.budget) {
			all = append(all, newPair(compiled(t, c.script, c.budget)))
		}
	}
	return all
}

func anyBudget(model.Budget) bool { return true }

// walkedCAN are models of the CAN under harder faults than their own.
func walkedCAN(t *testing.T) []*pair {
	harder := model.Budget{Drop: 2, Duplicate: 2, Spurious: 2, Crash: 1, Restart: 1, Suspect: 1}
	var all []*pair
	for _, name := range []string{
		"can/row2/stale-update", "can/row3/join-leave", "can/row3/crash-rejoin", "can/tee/leave-leave",
		"can/clones/join-join",
	} {
		m, err := canModel(name).With(harder)
		require.NoError(t, err)
		all = append(all, newPair(m))
	}
	return all
}

// draw chooses a number below n.
type draw func(n int) int

// evenly draws each number about as often: rapid's own numbers are mostly small ones, with which
// all walks are alike.
func evenly(t *rapid.T) draw {
	return func(n int) int {
		v := 0
		for range 8 {
			v <<= 1
			if rapid.Bool().Draw(t, "bit") {
				v++
			}
		}
		return v % n
	}
}

// walk follows the drawn actions on both sides and calls visit in every state.
func (p *pair) walk(
	draw draw,
	visit func(state []uint32, actions []traces.Action, next *checker.Successors),
) (taken []int, effects [][]string) {
	p.machine.Reset()
	state := slices.Clone(p.initial)
	for range 1 + draw(60) {
		next := checker.NewSuccessors(p.model.Width())
		p.worker.Expand(state, next)
		actions := p.machine.Enabled()
		visit(state, actions, next)
		if len(actions) == 0 {
			break
		}
		i := draw(len(actions))
		taken, effects = append(taken, i), append(effects, p.machine.Take(i))
		state = slices.Clone(next.At(i))
	}
	return taken, effects
}

// The replayer's actions are the checker's, in the same order, and its verdicts are, too.
func TestMachineAgreesWithModel(t *testing.T) {
	pairs := append(walkedToys(t, anyBudget), walkedCAN(t)...)
	cost := map[string]string{
		"drop":          "drop",
		"duplicate":     "duplicate",
		"timeout-early": "spurious",
		"suspect":       "suspect",
		"late":          "late",
		"crash":         "crash",
		"restart":       "restart",
	}
	rapid.Check(t, func(t *rapid.T) {
		p := pairs[evenly(t)(len(pairs))]
		t.Log(p.name)
		p.walk(evenly(t), func(state []uint32, actions []traces.Action, next *checker.Successors) {
			require.Len(t, actions, next.Len())
			for i, a := range actions {
				require.Equal(t, p.model.Classes()[next.Class(i)].Name, a.Kind+"@"+a.Node)
				require.Equal(t, cost[a.Kind], a.Cost)
			}
			require.Equal(t, actions, p.machine.Enabled(), "to look changes nothing")
			for i, property := range p.model.Properties() {
				want := p.worker.Holds(i, state) || property.Shape == checker.Quiescent && !p.worker.Quiescent(state)
				got, err := p.machine.Check(property.Name)
				require.NoError(t, err)
				require.Equal(t, want, got, property.Name)
			}
			free, err := p.machine.Check(checker.Deadlock)
			require.NoError(t, err)
			require.Equal(t, len(actions) > 0 || p.worker.QuiescentEnd(state), free)
		})
	})
}

// The walked systems offer every kind of action. These walks are the same in every run: that a kind
// is rare must not depend on luck.
func TestWalksMeetEveryKindOfAction(t *testing.T) {
	kinds := map[string]bool{}
	for _, p := range append(walkedToys(t, anyBudget), walkedCAN(t)...) {
		p.walk(rand.New(rand.NewPCG(1, 1)).IntN, func(_ []uint32, actions []traces.Action, _ *checker.Successors) {
			for _, a := range actions {
				kinds[a.Kind] = true
			}
		})
	}
	assert.Len(t, kinds, 13, "some kinds of actions were never offered: %v", kinds)
}

// The same choices lead to the same state, in the same machine after a Reset and in another one.
func TestMachineRepeats(t *testing.T) {
	pairs := append(walkedToys(t, anyBudget), walkedCAN(t)...)
	others := append(walkedToys(t, anyBudget), walkedCAN(t)...)
	rapid.Check(t, func(t *rapid.T) {
		n := evenly(t)(len(pairs))
		m := pairs[n].machine
		m.Reset()
		first := m.State()
		taken, effects := pairs[n].walk(evenly(t), func([]uint32, []traces.Action, *checker.Successors) {})
		last, enabled := m.State(), m.Enabled()
		for _, again := range []traces.Machine{m, others[n].machine} {
			again.Reset()
			require.Equal(t, first, again.State())
			for step, i := range taken {
				require.Equal(t, effects[step], again.Take(i))
			}
			require.Equal(t, last, again.State())
			require.Equal(t, enabled, again.Enabled())
		}
	})
}

// The texts of the actions of one state differ, or a replay by text would lose its way. The notes
// of the toy do not say in which incarnation they were written.
func TestTextsOfActionsDiffer(t *testing.T) {
	pairs := append(walkedToys(t, anyBudget), walkedCAN(t)...)
	rapid.Check(t, func(t *rapid.T) {
		p := pairs[evenly(t)(len(pairs))]
		t.Log(p.name)
		p.walk(evenly(t), func(_ []uint32, actions []traces.Action, _ *checker.Successors) {
			seen := map[string]bool{}
			for _, a := range actions {
				text := strings.Join([]string{a.Kind, a.Node, a.Peer, a.Text}, "|")
				require.False(t, seen[text], "twice: %s", text)
				require.NotContains(t, text, "\n")
				seen[text] = true
			}
		})
	})
}

// Every path of a report can be followed to a state in which the machine agrees with the report.
func TestMachineFollowsTheCheckersPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread and many states: nothing for the race detector")
	}
	followed := map[checker.Verdict]int{}
	for _, c := range toyCases() {
		if c.budget.Spurious+c.budget.Restart > 1 {
			continue // the largest
		}
		m := compiled(t, c.script, c.budget)
		machine, classes := m.Machine(), m.Model().Classes()
		for _, o := range check(t, m.Model(), everything(1)).Outcomes {
			if o.Path == nil {
				continue
			}
			machine.Reset()
			for _, step := range o.Path.Steps[1:] {
				before, err := machine.Check(o.Property.Name)
				require.NoError(t, err)
				require.Equal(
					t,
					o.Verdict == checker.Violated,
					before,
					"%s: %s is decided before the path ends",
					c.name,
					o.Property.Name,
				)
				a := machine.Enabled()[step.Action]
				require.Equal(t, classes[step.Class].Name, a.Kind+"@"+a.Node)
				machine.Take(step.Action)
			}
			after, err := machine.Check(o.Property.Name)
			require.NoError(t, err)
			require.Equal(t, o.Verdict == checker.Holds, after, "%s: %s", c.name, o.Property.Name)
			followed[o.Verdict]++
		}
	}
	assert.Greater(t, followed[checker.Holds], 10)
	assert.Greater(t, followed[checker.Violated], 40)
}

// pick takes the enabled action of this text.
func pick(t *testing.T, m traces.Machine, text string) []string {
	t.Helper()
	var offered []string
	for i, a := range m.Enabled() {
		one := strings.Join(strings.Fields(strings.Join([]string{a.Kind, a.Peer + ">" + a.Node, a.Text}, " ")), " ")
		if one == text {
			return m.Take(i)
		}
		offered = append(offered, one)
	}
	require.Contains(t, offered, text)
	return nil
}

func TestMachineTellsWhatHappens(t *testing.T) {
	m := compiled(t, twoCouriers(), model.Budget{Drop: 1, Duplicate: 1, Crash: 1, Restart: 1}).Machine()
	assert.Empty(t, pick(t, m, "command >A give B"))
	assert.Equal(t, []traces.Variable{
		{Name: "A", Value: "A got 0, knows [1 1], has 0 for B owes a choice of 2"},
		{Name: "B", Value: "B got 0, knows [1 1]"},
		{Name: "network", Value: ""},
		{Name: "monitor", Value: "00000000"},
		{Name: "budget", Value: "drop 1, duplicate 1, crash 1, restart 1"},
	}, m.State())
	assert.Equal(t, []string{"send A->B give2"}, pick(t, m, "chosen >A 1"))
	assert.Equal(t, []string{"send B->A thanks0", "event got A 2"}, pick(t, m, "duplicate A>B give2"))
	assert.Empty(t, pick(t, m, "drop A>B give2"), "the network does not speak")
	assert.Equal(t, []string{"event crash B"}, pick(t, m, "crash >B"))
	assert.Equal(t, []traces.Variable{
		{Name: "A", Value: "A got 0, knows [1 1], has 2 for B"},
		{Name: "B", Value: "down"},
		{Name: "network", Value: "B->A thanks0"},
		{Name: "monitor", Value: "01000102"},
		{Name: "budget", Value: "restart 1"},
	}, m.State())
	pick(t, m, "restart >B")
	assert.Equal(t, "B.2 got 1, knows [1 2]", m.State()[1].Value, "the disk is back, the rest is not")
	assert.Equal(t, []string{"event thanked B 2"}, pick(t, m, "deliver B>A thanks0"))
}

func TestMachineChecksByName(t *testing.T) {
	m := compiled(t, patientCouriers(), model.Budget{}).Machine()
	checks := func(name string) bool {
		t.Helper()
		holds, err := m.Check(name)
		require.NoError(t, err)
		return holds
	}
	_, err := m.Check("Nonsense")
	require.ErrorContains(t, err, `model toy/couriers has no property "Nonsense"`)
	for _, text := range []string{"command >A give B", "chosen >A 0"} {
		pick(t, m, text)
		assert.True(t, checks("Delivered"), "not quiescent: not checked")
		assert.True(t, checks(checker.Deadlock))
	}
	pick(t, m, "command >B end")
	assert.True(t, checks("Delivered"), "B said bye")
	pick(t, m, "deliver B>A bye0")
	assert.True(t, checks("Delivered"))
	assert.Empty(t, m.Enabled())
	assert.True(t, checks(checker.Deadlock), "an accepted end")

	m.Reset()
	for _, text := range []string{"command >B end", "deliver B>A bye0", "command >A give B", "chosen >A 0"} {
		pick(t, m, text)
	}
	assert.Empty(t, m.Enabled())
	assert.False(t, checks("Delivered"), "A waits for a node that is gone")
	assert.False(t, checks(checker.Deadlock))
	assert.True(t, checks("NeverThanked"))
}

// Two incarnations of B greet A in the same words: only then is it said which is which.
func TestMessagesOfTwoLivesReadDifferently(t *testing.T) {
	script := twoCouriers()
	script.core.chatty = true
	m := compiled(t, script, model.Budget{Crash: 1, Restart: 1}).Machine()
	fromB := func() (texts []string) {
		for _, a := range m.Enabled() {
			if a.Kind == "deliver" && a.Node == "A" && a.Peer == "B" {
				texts = append(texts, a.Text)
			}
		}
		return texts
	}
	assert.Equal(t, []string{"here0"}, fromB())
	pick(t, m, "crash >B")
	assert.Equal(t, []string{"here0"}, fromB())
	pick(t, m, "restart >B")
	assert.Equal(t, []string{"here0 (from B)", "here0 (from B.2)"}, fromB())
	pick(t, m, "deliver B>A here0 (from B.2)")
	assert.Equal(t, []string{"here0"}, fromB())
}

// mumbler sends itself two notes and says the same of both.
type mumbler struct{ echo }

func (mumbler) MessageText(note) string { return "mumble" }

// Equal texts of different messages are numbered.
func TestMumblingCores(t *testing.T) {
	sys := couriers([][]order{{self()}}).system(model.Budget{Drop: 1})
	sys.Core = mumbler{echo{toy{n: 1}}}
	m := machineOf(t, sys)
	pick(t, m, "command >A self")
	var texts []string
	for _, a := range m.Enabled() {
		texts = append(texts, a.Kind+" "+a.Text)
	}
	assert.Equal(t, []string{
		"deliver mumble (from A) (1)", "deliver mumble (from A) (2)", "drop mumble (from A) (1)", "drop mumble (from A) (2)",
	}, texts)
}
