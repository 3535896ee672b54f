package abd_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/abd"
)

// Complete: all runs have been seen to their ends, hence all histories.
func TestEveryHistoryIsLinearizable(t *testing.T) {
	tests := []struct {
		name    string
		clients [][]abd.Operation
		states  uint64
		orbits  uint64 // of the replicas
		reads   checker.Verdict
		long    bool
	}{
		{"a write and a read", [][]abd.Operation{{abd.Write(1)}, {abd.Read()}}, 239_629, 41_340, checker.Holds, false},
		{"two reads", [][]abd.Operation{{abd.Read()}, {abd.Read()}}, 77_569, 13_543, checker.Violated, false},
		{"two writes", [][]abd.Operation{{abd.Write(1)}, {abd.Write(2)}}, 481_387, 82_681, checker.Violated, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.long && testing.Short() {
				t.Skip("long")
			}
			m, err := abd.New(false, test.clients...)
			require.NoError(t, err)
			for reduce, states := range map[bool]uint64{false: test.states, true: test.orbits} {
				r, err := checker.Check(
					context.Background(),
					m.Model(),
					checker.Options{ContinueAfterViolation: true, Reduce: reduce},
				)
				require.NoError(t, err)
				assert.True(t, r.Complete)
				assert.Equal(t, states, r.States, "reduced: %v", reduce)
				assert.Equal(t, checker.Holds, r.Outcomes[0].Verdict, "Linearizable")
				assert.Equal(t, test.reads, r.Outcomes[1].Verdict, "ReadsNew")
				assert.Equal(t, checker.Holds, r.Outcomes[2].Verdict, "deadlock")
			}
		})
	}
}

// Reading in one phase, a client sees the new value and then the old one.
func TestCarelessReads(t *testing.T) {
	m, err := abd.New(true, []abd.Operation{abd.Write(1)}, []abd.Operation{abd.Read(), abd.Read()})
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), m.Model(), checker.Options{})
	require.NoError(t, err)
	require.Equal(t, checker.Violated, r.Outcomes[0].Verdict)
	machine := m.Machine()
	var told []string
	for _, step := range r.Outcomes[0].Path.Steps[1:] {
		for _, effect := range machine.Take(step.Action) {
			if strings.HasPrefix(effect, "event") {
				told = append(told, effect)
			}
		}
	}
	assert.Equal(t, []string{
		"event call D 1", "event call E", "event return E 1", "event call E", "event return E",
	}, told, "the write is still going on")
}
