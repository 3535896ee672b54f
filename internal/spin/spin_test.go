package spin_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/spin"
)

const complete = `
State-vector 20 byte, depth reached 10, errors: 0
      288 states, stored
      858 states, matched
     1146 transitions (= stored+matched)
`

func TestParse(t *testing.T) {
	tests := []struct {
		name, output string
		want         spin.Verdict
	}{
		{"complete", complete, spin.Holds},
		{"assertion", "pan:1: assertion violated (a==b) (at depth 7)\n" + complete, spin.Assertion},
		{"deadlock", "pan:1: invalid end state (at depth 252)\n" + complete, spin.Deadlock},
		{"cycle", "pan:1: acceptance cycle (at depth 68)\n" + complete, spin.Cycle},
		{"cut short", "Warning: Search not completed\n" + complete, spin.Inconclusive},
		{"too deep", "error: max search depth too small\n" + complete, spin.Inconclusive},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := spin.Parse(test.output)
			require.NoError(t, err)
			assert.Equal(t, spin.Result{Verdict: test.want, States: 288, Transitions: 1146}, r)
		})
	}
	r, err := spin.Parse(strings.Replace(complete, "1146", "1.235584e+08", 1))
	require.NoError(t, err)
	assert.Equal(t, spin.Printed(123_558_402), r.Transitions)
	assert.NotEqual(t, spin.Printed(123_558_412), r.Transitions)
	assert.Equal(t, uint64(12_345_678), spin.Printed(12_345_678))
	_, err = spin.Parse("Segmentation fault")
	require.ErrorIs(t, err, spin.ErrOutput)
}

func TestRun(t *testing.T) {
	if missing := spin.Missing(); len(missing) > 0 {
		t.Skip("not installed: ", missing)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "counter.pml")
	const source = "byte n; active proctype p() { do :: n < LIMIT -> n++; assert(n < 9) od }\n"
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	for limit, want := range map[string]spin.Verdict{"LIMIT=5": spin.Deadlock, "LIMIT=9": spin.Assertion} {
		into := t.TempDir()
		p, err := spin.Compile(context.Background(), spin.Build{File: file, Macros: []string{limit}}, into)
		require.NoError(t, err)
		r, err := p.Run(context.Background(), spin.Search{HashBits: 10})
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict)
		assert.NotZero(t, r.PeakBytes)
	}
	_, err := spin.Compile(context.Background(), spin.Build{File: file, Macros: []string{"LIMIT=("}}, t.TempDir())
	require.ErrorContains(t, err, "counter.pml")
}
