package model_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
)

// everything goes on after a violation, so that all states are found.
func everything(workers int) checker.Options {
	return checker.Options{Workers: workers, ContinueAfterViolation: true}
}

func check(t *testing.T, m checker.Model, o checker.Options) *checker.Report {
	t.Helper()
	report, err := checker.Check(context.Background(), m, o)
	require.NoError(t, err)
	return report
}

func compiled(t *testing.T, script toyScript, b model.Budget) model.Checkable {
	t.Helper()
	m, err := script.system(b).Compile()
	require.NoError(t, err)
	return m
}

type toyCase struct {
	name   string
	script toyScript
	budget model.Budget
	large  bool // takes the dumb search a while
}

func toyCases() []toyCase {
	all := model.Budget{Drop: 1, Duplicate: 1, Spurious: 1, Crash: 1, Restart: 1}
	budgets := []model.Budget{
		{}, {Drop: 1}, {Duplicate: 1}, {Spurious: 1}, {Suspect: 1}, {Crash: 1}, {Crash: 1, Restart: 1}, {Repeat: true},
	}
	var cases []toyCase
	add := func(name string, script toyScript, budgets ...model.Budget) {
		for _, b := range budgets {
			cases = append(
				cases,
				toyCase{
					name: fmt.Sprintf("%s, %v", name, b), script: script, budget: b,
					large: b.Spurious+b.Restart > 1 || name == "busy" || name == "three" || name == "selfish, rarely" && b.Crash > 0,
				},
			)
		}
	}
	add(
		"two",
		twoCouriers(),
		append(
			budgets,
			model.Budget{Drop: 2, Duplicate: 2},
			all,
			model.Budget{Repeat: true, Drop: 1},
			model.Budget{Repeat: true, Drop: 1, Crash: 1, Restart: 1},
			model.Budget{Adversarial: true},
			model.Budget{Adversarial: true, Drop: 1},
			model.Budget{Adversarial: true, Crash: 1},
			model.Budget{Late: 1},
			model.Budget{Late: 2, Drop: 1, Crash: 1, Restart: 1},
			model.Budget{Late: 1, Duplicate: 1, Crash: 1, Restart: 1},
			model.Budget{Adversarial: true, Crash: 1, Restart: 1},
			model.Budget{Adversarial: true, Drop: 1, Spurious: 1, Crash: 1, Restart: 1},
		)...)
	add("patient", patientCouriers(), append(budgets, model.Budget{Drop: 3, Spurious: 2})...)
	add(
		"selfish",
		selfishCouriers(),
		model.Budget{},
		model.Budget{Duplicate: 1},
		model.Budget{Drop: 1, Crash: 1, Restart: 1},
	)
	add("selfish, rarely", selfishCouriers().rarely(), model.Budget{Repeat: true}, model.Budget{Repeat: true, Drop: 1},
		model.Budget{Adversarial: true, Drop: 1, Crash: 1, Restart: 1},
		model.Budget{Late: 1, Drop: 1, Crash: 1, Restart: 1})
	add("two, by name", twoCouriers().byName(),
		model.Budget{Adversarial: true, Drop: 1, Crash: 1, Restart: 1},
		model.Budget{Late: 1, Drop: 1, Crash: 1, Restart: 1})
	late := model.Budget{Late: 2, Crash: 1, Restart: 1}
	add("busy", busyCouriers(), append(budgets, late)...)
	add("curious", curiousCouriers(), append(budgets, late)...)
	add("three", threeCouriers(), budgets...)
	return append(cases, fifoCases()...)
}

// fifoCases are systems on a network that keeps the order of each channel.
func fifoCases() []toyCase {
	all := model.Budget{Drop: 1, Duplicate: 1, Spurious: 1, Crash: 1, Restart: 1}
	budgets := []model.Budget{
		{}, {Drop: 1}, {Duplicate: 1}, {Spurious: 1}, {Suspect: 1}, {Crash: 1}, {Crash: 1, Restart: 1},
	}
	var cases []toyCase
	add := func(name string, script toyScript, large bool, budgets ...model.Budget) {
		for _, b := range budgets {
			cases = append(cases, toyCase{fmt.Sprintf("%s in order, %v", name, b), script.inOrder(), b, large || b.Restart > 1})
		}
	}
	add("two", twoCouriers(), false, append(budgets, model.Budget{Drop: 2, Duplicate: 2}, all)...)
	add("patient", patientCouriers(), false, append(budgets, model.Budget{Drop: 3, Spurious: 2})...)
	add("selfish", selfishCouriers(), false,
		model.Budget{}, model.Budget{Drop: 1, Duplicate: 1}, model.Budget{Drop: 1, Crash: 1, Restart: 1})
	add("busy", busyCouriers(), true, budgets...)
	add("three", threeCouriers(), true, budgets...)
	return cases
}

// The checker, with interned components and remembered steps, has the same results as a search that
// uses neither.
func TestTheModelIsWhatADumbSearchSays(t *testing.T) {
	verdicts := map[string]map[checker.Verdict]bool{}
	for _, c := range toyCases() {
		if testing.Short() && c.large {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			want := explore(c.script, c.budget)
			m := compiled(t, c.script, c.budget).Model()
			got := check(t, m, everything(2))
			require.True(t, got.Complete)
			assert.Equal(t, want.states, got.States, "states")
			assert.Equal(t, want.transitions, got.Transitions, "transitions")
			assert.Equal(t, want.depth, got.Depth, "depth")
			for i, class := range m.Classes() {
				assert.Equal(t, want.classes[class.Name], got.ClassCounts[i], class.Name)
				delete(want.classes, class.Name)
			}
			assert.Empty(t, want.classes, "classes that the model lacks")
			for _, o := range got.Outcomes {
				f := want.findings[o.Property.Name]
				assert.Equal(t, f.verdict, o.Verdict, o.Property.Name)
				steps := -1
				if o.Path != nil {
					steps = len(o.Path.Steps) - 1
				}
				assert.Equal(t, f.steps, steps, "steps to the evidence on %s", o.Property.Name)
				if o.Verdict == checker.Holds && o.Property.Shape != checker.Sometimes {
					assert.Equal(t, f.cases, o.Cases, "cases of %s", o.Property.Name)
				}
				if verdicts[o.Property.Name] == nil {
					verdicts[o.Property.Name] = map[checker.Verdict]bool{}
				}
				verdicts[o.Property.Name][o.Verdict] = true
			}
		})
	}
	for _, name := range []string{"Once", "Delivered", "TwoGotOne", "ComesBack", checker.Deadlock} {
		assert.Len(t, verdicts[name], 2, "%s has the same verdict everywhere and compares nothing", name)
	}
}

// Without a duplicated message, a network that allows duplicates behaves like a strict one: equal
// messages are on their way side by side, and each arrives.
func TestWhatDoesNotComeAgainIsCounted(t *testing.T) {
	script := selfishCouriers()
	plain := check(t, compiled(t, script, model.Budget{}).Model(), everything(1))
	script.rare = func(note) bool { return true }
	rare := check(t, compiled(t, script, model.Budget{Repeat: true}).Model(), everything(1))
	assert.Equal(t, plain.States, rare.States)
	assert.Equal(t, plain.Transitions, rare.Transitions)
	for i, o := range plain.Outcomes {
		assert.Equal(t, o.Verdict, rare.Outcomes[i].Verdict, o.Property.Name)
	}
}
