package flight_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/flight"
)

// Each part begins in the middle of the one before, and all records are in one.
func TestPartsOfALongRun(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for life := range 7 {
		r, err := flight.New(dir, flight.Header{
			Life: fmt.Sprint("n", 9-life), Cores: []flight.CoreKind{{Kind: 1, Name: "toy"}},
		})
		require.NoError(t, err)
		r.Snapshot(time.Duration(life), nil)
		require.NoError(t, r.Close())
		found, err := filepath.Glob(filepath.Join(dir, fmt.Sprint("n", 9-life, "-*")))
		require.NoError(t, err)
		require.Len(t, found, 1)
		files = append(files, found...)
	}
	shuffled := []string{files[3], files[0], files[6], files[2], files[5], files[1], files[4]}
	all, err := flight.Parts(shuffled, 4)
	require.NoError(t, err)
	assert.Equal(t, [][]string{files[0:4], files[2:6], files[4:7]}, all)

	all, err = flight.Parts(files[:4], 4)
	require.NoError(t, err)
	assert.Equal(t, [][]string{files[:4]}, all)

	require.NoError(t, os.WriteFile(files[1], []byte("x"), 0o600))
	_, err = flight.Parts(files, 4)
	require.ErrorIs(t, err, flight.ErrDamaged)
}
