package twophase_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/twophase"
)

// The counts are known from other tools, which count the initial state as generated: their numbers
// of generated states are larger by one than ours of transitions.
func TestKnownCounts(t *testing.T) {
	tests := []struct {
		name              string
		managers          int
		states, generated uint64
		long              bool
	}{
		{"3", 3, 288, 1_146, false},
		{"5", 5, 8_832, 58_146, false},
		{"7", 7, 296_448, 2_744_706, false},
		{"8", 8, 1_745_408, 18_507_778, true},
		{"9", 9, 10_340_352, 123_558_402, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.long && testing.Short() {
				t.Skip("long")
			}
			m, err := twophase.New(test.managers)
			require.NoError(t, err)
			r, err := checker.Check(context.Background(), m, checker.Options{})
			require.NoError(t, err)
			assert.True(t, r.Complete)
			assert.Equal(t, checker.Holds, r.Verdict())
			assert.Equal(t, test.states, r.States)
			assert.Equal(t, test.generated, r.Transitions+1)
		})
	}
}

func TestImpossibleNumbers(t *testing.T) {
	for _, n := range []int{-1, 0, twophase.MaxManagers + 1} {
		_, err := twophase.New(n)
		require.ErrorIs(t, err, twophase.ErrManagers)
	}
	_, err := twophase.New(twophase.MaxManagers)
	require.NoError(t, err)
}
