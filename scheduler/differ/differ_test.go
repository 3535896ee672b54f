package differ

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/scheduler"
)

func TestDifference(t *testing.T) {
	want := Run[int]{Steps: []int{1, 2}, Records: []scheduler.Record{{Job: 1}}, Counts: map[string]int{"a": 1}}
	require.Empty(t, difference(want, want))
	for text, got := range map[string]Run[int]{
		"step 1 is 3, want 2":  {Steps: []int{1, 3}},
		"1 steps, want 2":      {Steps: []int{1}},
		"record 0 is":          {Steps: want.Steps, Records: []scheduler.Record{{Job: 2}}},
		"0 records, want 1":    {Steps: want.Steps},
		"counts are <nil>, wa": {Steps: want.Steps, Records: want.Records},
	} {
		require.Contains(t, difference(want, got), text)
	}
}
