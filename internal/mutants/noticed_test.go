package mutants_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
)

// fewTested is how many mutants of tests are tried unless more are chosen.
const fewTested = 2

// Each tested mutant makes its test fail, and the test passes on the code as it is. One test runs
// at a time: those of whole daemons measure time.
func TestNoticed(t *testing.T) {
	some, err := mutants.Chosen(mutants.AllTested(), fewTested, mutants.Tested.Edit)
	require.NoError(t, err)
	if len(some) == 0 {
		t.Skip("no such mutant is tried: " + mutants.Choice + " chooses none")
	}
	sound := map[string]bool{}
	for _, m := range some {
		t.Run(m.Name, func(t *testing.T) {
			passed, output, err := built(t).Test(m.Name, m.Package(), "^"+m.Test+"$", mutants.TestLimit)
			require.NoError(t, err)
			assert.False(t, passed, "%s does not notice it (%s)", m.Test, m.Why)
			assert.Contains(t, output, "--- FAIL: "+m.Test)
		})
		if test := m.Package() + "." + m.Test; !sound[test] {
			sound[test] = true
			t.Run("unmutated/"+test, func(t *testing.T) {
				passed, output, err := built(t).Test("", m.Package(), "^"+m.Test+"$", mutants.TestLimit)
				require.NoError(t, err)
				assert.True(t, passed, output)
				assert.Contains(t, output, "--- PASS: "+m.Test)
			})
		}
	}
}

// Each mutant fits the code, and has a unique name, a reason and a test.
func TestTableOfTested(t *testing.T) {
	names := map[string]bool{}
	for _, m := range mutants.All() {
		names[m.Name] = true
	}
	for _, m := range mutants.AllTested() {
		assert.False(t, names[m.Name], "two mutants are named %s", m.Name)
		names[m.Name] = true
		assert.NotEmpty(t, m.Why, m.Name)
		assert.NotEmpty(t, m.Test, m.Name)
		assert.NoError(t, m.Edit().Fits(root(t)))
	}
	for _, wanted := range []string{
		"fcfs-ideal-ignores-capability", "easy-shadow-from-actual", "easy-extra-not-consumed",
		"conservative-no-compression", "bsld-without-bound", "window-off-by-one", "compress-scales-runs",
		"overlap-no-wrap", "disjoint-drops-remainder",
	} {
		assert.True(t, names[wanted], "there is no mutant %s", wanted)
	}
}
