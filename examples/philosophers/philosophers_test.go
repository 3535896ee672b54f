package philosophers_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/philosophers"
)

func TestVerdicts(t *testing.T) {
	tests := []struct {
		rule   philosophers.Rule
		seats  int
		states uint64
		free   checker.Verdict // of deadlock
		eats   checker.Verdict
	}{
		{philosophers.LeftFirst, 2, 13, checker.Violated, checker.Violated},
		{philosophers.LeftFirst, 5, 573, checker.Violated, checker.Violated},
		{philosophers.Ordered, 2, 12, checker.Holds, checker.Violated},
		{philosophers.Ordered, 5, 534, checker.Holds, checker.Violated},
		{philosophers.Courteous, 2, 28, checker.Holds, checker.Holds},
		{philosophers.Courteous, 4, 2_432, checker.Holds, checker.Holds},
		{philosophers.Courteous, 5, 18_780, checker.Holds, checker.Holds},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.rule, test.seats), func(t *testing.T) {
			m, err := philosophers.New(test.seats, test.rule)
			require.NoError(t, err)
			r, err := checker.Check(context.Background(), m, checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			assert.True(t, r.Complete)
			assert.Equal(t, test.states, r.States)
			for class, n := range r.ClassCounts {
				assert.NotZero(t, n, m.Classes()[class].Name)
			}
			for _, o := range r.Outcomes {
				switch {
				case o.Property.Name == "Exclusion":
					assert.Equal(t, checker.Holds, o.Verdict)
				case o.Property.Name == checker.Deadlock:
					assert.Equal(t, test.free, o.Verdict)
				default:
					assert.Equal(t, test.eats, o.Verdict, o.Property.Name)
				}
			}
		})
	}
}

func TestImpossibleTables(t *testing.T) {
	for _, seats := range []int{-1, 1, philosophers.MaxSeats + 1} {
		_, err := philosophers.New(seats, philosophers.Ordered)
		require.ErrorIs(t, err, philosophers.ErrSeats)
	}
}
