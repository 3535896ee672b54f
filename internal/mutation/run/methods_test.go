package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/mutants"
	"github.com/canvass-grid/canvass/internal/mutation"
)

// Shards are disjoint and complete, with and without skipped mutants.
func TestShards(t *testing.T) {
	for _, every := range []int{1, 10} {
		times := map[string]int{}
		for i := 1; i <= 3; i++ {
			chosen, err := choose(methodFlags{every: every, shard: fmt.Sprintf("%d/3", i)}, nil)
			require.NoError(t, err)
			for _, m := range chosen {
				times[m.Name]++
			}
		}
		for k, m := range mutants.All() {
			want := 0
			if k%every == 0 {
				want = 1
			}
			assert.Equal(t, want, times[m.Name], m.Name)
		}
	}
	for _, bad := range []string{"", "0/3", "4/3", "1/3x"} {
		_, err := choose(methodFlags{shard: bad}, nil)
		assert.ErrorIs(t, err, errUsage, bad)
	}
}

// A measured mutant is not measured again; an incomplete line is no measurement.
func TestSkip(t *testing.T) {
	all := mutants.All()
	file := filepath.Join(t.TempDir(), "lines")
	text := fmt.Sprintf("{\"mutant\":%q,\"effort\":{}}\n{\"mutant\":%q,\"eff", all[0].Name, all[1].Name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	chosen, err := choose(methodFlags{shard: "1/1", skip: file + "," + filepath.Join(t.TempDir(), "none")}, nil)
	require.NoError(t, err)
	require.Len(t, chosen, len(all)-1)
	assert.Equal(t, all[1].Name, chosen[0].Name)

	require.NoError(t, os.WriteFile(file, []byte("nonsense\n"), 0o600))
	_, err = choose(methodFlags{shard: "1/1", skip: file}, nil)
	assert.ErrorContains(t, err, file+":1")
	_, err = choose(methodFlags{shard: "1/1"}, []string{"no-such-mutant"})
	assert.ErrorIs(t, err, errUsage)
}

func TestRender(t *testing.T) {
	all := []mutants.Mutant{
		{Name: "a", File: "can/join.go", Model: "can/row2/join"},
		{Name: "b", File: "can/join.go", Script: "s"},
		{Name: "c", File: "space/split.go", Scenario: "can/churn"},
		{Name: "d", File: "can/join.go", Model: "can/row2/join"},
	}
	lines := []line{
		{"c", mutation.Effort{Checker: mutation.Search{Tried: 9}, Scenarios: mutation.Search{Found: 2, Where: "can/churn"}}},
		{"a", mutation.Effort{Checker: mutation.Search{Found: 1, Where: "can/row2/join"}}},
		{
			"a",
			mutation.Effort{
				Checker: mutation.Search{Found: 7, Where: "can/row2/join"},
				PCT:     mutation.Search{Tried: 50, Stopped: true},
			},
		},
		{"b", mutation.Effort{}},
	}
	var to strings.Builder
	require.NoError(t, render(&to, all, lines))
	assert.Equal(t, header+`| a | can/row2/join | 7 | – (stopped after 50) |  |  |
| b |  | a script |  |  |  |
| c | all of can/… | – |  |  | 2 (can/churn) |
`, to.String())
	assert.ErrorContains(t, render(&to, all, []line{{"old", mutation.Effort{}}}), "old")
}
