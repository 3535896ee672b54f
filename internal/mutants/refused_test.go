package mutants_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

// fewRefused is how many mutants of the rounds are tried against the abstract machine unless more
// are chosen.
const fewRefused = 2

// chosenRounds returns the mutants of the rounds to try.
func chosenRounds() ([]mutants.Mutant, error) {
	return mutants.Chosen(mutants.OfRounds(), fewRefused, mutants.Mutant.Edit)
}

// Each mutant of the rounds is refused by the abstract machine alone, at the step in the table,
// unless the other table says why the machine allows it.
func TestRefused(t *testing.T) {
	some, err := chosenRounds()
	require.NoError(t, err)
	if len(some) == 0 {
		t.Skip("no such mutant is tried: " + mutants.Choice + " chooses none")
	}
	for _, m := range some {
		t.Run(m.Name, func(t *testing.T) {
			answers, silent, err := built(t).Ask(m.Name, mutation.Request{
				Models: []mutation.Bounded{{Name: m.Model, Most: most}}, Refines: true,
			}, patience)
			require.NoError(t, err)
			require.False(t, silent, "%s does not end", m.Model)
			require.NotEmpty(t, answers)
			step, _, _ := strings.Cut(answers[0].Refused, ":")
			assert.Equal(t, mutants.Refused[m.Name], step, "%s after %d states (%s)",
				answers[0].Refused, answers[0].States, m.Why)
		})
	}
}

// TestRefusedTables demands that each mutant of the rounds is in one of the two tables, and that
// these have no others.
func TestRefusedTables(t *testing.T) {
	known := map[string]bool{}
	for _, m := range mutants.OfRounds() {
		refused, refined := mutants.Refused[m.Name] != "", mutants.Refined[m.Name] != ""
		assert.True(t, refused != refined, "%s must be in one of the tables Refused and Refined", m.Name)
		assert.NoError(t, m.Edit().Fits(root(t)))
		known[m.Name] = true
	}
	for name := range mutants.Refined {
		assert.True(t, known[name], name)
	}
	for name := range mutants.Refused {
		assert.True(t, known[name], name)
	}
}
