package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/catalog"
)

// Each world has a name and a line of its own, and its first seed runs.
func TestWorlds(t *testing.T) {
	names := map[string]bool{}
	for _, w := range catalog.All() {
		assert.False(t, names[w.Name()], "two worlds are called %s", w.Name())
		names[w.Name()] = true
		assert.NotEmpty(t, w.Doc())
		p := w.Draw(1)
		require.NoError(t, p.Validate())
		r, err := w.Run(p, sim.RunOptions{})
		require.NoError(t, err)
		assert.NotEqual(t, sim.Inconclusive, r.Verdict)
		assert.Empty(t, w.Shape("NoSuchProperty"))
	}
}
