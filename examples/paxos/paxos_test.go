package paxos_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/paxos"
	"github.com/canvass-grid/canvass/model"
)

// The counts of 2, 3 and 6 clients are known from other tools, which count the initial state as
// generated: their numbers are larger by one than ours of transitions.
func TestKnownCounts(t *testing.T) {
	tests := []struct {
		name              string
		clients           int
		states, generated uint64
		long              bool
	}{
		{"1", 1, 265, 482, false},
		{"2", 2, 16_668, 32_971, false},
		{"3", 3, 1_194_428, 2_420_477, false},
		{"6", 6, 9_357_525, 18_972_647, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.long && testing.Short() {
				t.Skip("long")
			}
			m, err := paxos.New(test.clients)
			require.NoError(t, err)
			r, err := checker.Check(context.Background(), m.Model(), checker.Options{})
			require.NoError(t, err)
			assert.True(t, r.Complete)
			assert.Equal(t, checker.Holds, r.Verdict())
			assert.Equal(t, test.states, r.States)
			assert.Equal(t, test.generated, r.Transitions+1)
		})
	}
}

func TestTooManyClients(t *testing.T) {
	_, err := paxos.New(model.MaxNodes)
	require.ErrorIs(t, err, model.ErrNodes)
}
