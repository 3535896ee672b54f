package mutation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutation"
)

// Every reason is about a mutant that exists and that, as far as is recorded, survives. A function
// that changed since it was recorded is for "make mutants WHAT=touched".
func TestReasonsAreAboutSurvivors(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	all, err := mutation.List(root)
	require.NoError(t, err)
	record, err := mutation.ReadRecord(root)
	require.NoError(t, err)
	reasons, err := mutation.ReadReasons(root)
	require.NoError(t, err)
	require.NotEmpty(t, reasons)
	for _, m := range all {
		verdict, known := record.Of(m)
		reason, explained := reasons[m.Key()]
		if explained && known {
			assert.Equal(t, mutation.Surviving, verdict, "%s: %s is killed; it needs no reason", reason.Place, m.Key())
		}
		if known && verdict == mutation.Surviving {
			assert.True(t, explained, "%s survives and has no reason", m.Key())
		}
		delete(reasons, m.Key())
	}
	for key, reason := range reasons {
		assert.Fail(t, "no such mutant", "%s: %s", reason.Place, key)
	}
}

// The table of the page is that of the record.
func TestTableIsCurrent(t *testing.T) {
	root, err := mutation.Root()
	require.NoError(t, err)
	all, err := mutation.List(root)
	require.NoError(t, err)
	record, err := mutation.ReadRecord(root)
	require.NoError(t, err)
	reasons, err := mutation.ReadReasons(root)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "mutants.md"))
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(page), mutation.Table(all, record, reasons)),
		"go run ./internal/mutation/run -touched -write makes the table again")
}
