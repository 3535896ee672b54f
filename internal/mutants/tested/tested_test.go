package tested_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants/tested"
	"github.com/canvass-grid/canvass/internal/mutation"
)

func root(t *testing.T) string {
	t.Helper()
	dir, err := mutation.Root()
	require.NoError(t, err)
	return dir
}

// Each mutant fits the code, and has a name, a reason and a test of its own choice.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for _, m := range tested.All() {
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
