package mutants_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutants/tested"
)

// fewTested is how many mutants of tests are tried unless more are chosen.
const fewTested = 2

// Each mutant of package tested makes its test fail, and the test passes on the code as it is. One
// test runs at a time: those of whole daemons measure time.
func TestNoticed(t *testing.T) {
	some, err := mutants.Chosen(tested.All(), fewTested, tested.Mutant.Edit)
	require.NoError(t, err)
	if len(some) == 0 {
		t.Skip("no such mutant is tried: " + mutants.Choice + " chooses none")
	}
	sound := map[string]bool{}
	for _, m := range some {
		t.Run(m.Name, func(t *testing.T) {
			passed, output, err := built.Test(m.Name, m.Package(), "^"+m.Test+"$", tested.Limit)
			require.NoError(t, err)
			assert.False(t, passed, "%s does not notice it (%s)", m.Test, m.Why)
			assert.Contains(t, output, "--- FAIL: "+m.Test)
		})
		if test := m.Package() + "." + m.Test; !sound[test] {
			sound[test] = true
			t.Run("unmutated/"+test, func(t *testing.T) {
				passed, output, err := built.Test("", m.Package(), "^"+m.Test+"$", tested.Limit)
				require.NoError(t, err)
				assert.True(t, passed, output)
				assert.Contains(t, output, "--- PASS: "+m.Test)
			})
		}
	}
}
