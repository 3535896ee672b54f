package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		want         Verdict
	}{
		{"complete", complete, Holds},
		{"assertion", "pan:1: assertion violated (a==b) (at depth 7)\n" + complete, Assertion},
		{"deadlock", "pan:1: invalid end state (at depth 252)\n" + complete, Deadlock},
		{"cycle", "pan:1: acceptance cycle (at depth 68)\n" + complete, Cycle},
		{"cut short", "Warning: Search not completed\n" + complete, Inconclusive},
		{"too deep", "error: max search depth too small\n" + complete, Inconclusive},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := Parse(test.output)
			require.NoError(t, err)
			assert.Equal(t, Result{Verdict: test.want, States: 288, Transitions: 1146}, r)
		})
	}
	r, err := Parse(strings.Replace(complete, "1146", "1.235584e+08", 1))
	require.NoError(t, err)
	assert.Equal(t, Printed(123_558_402), r.Transitions)
	assert.NotEqual(t, Printed(123_558_412), r.Transitions)
	assert.Equal(t, uint64(12_345_678), Printed(12_345_678))
	_, err = Parse("Segmentation fault")
	require.ErrorIs(t, err, ErrOutput)
}

func TestRun(t *testing.T) {
	if missing := Missing(); len(missing) > 0 {
		t.Skip("not installed: ", missing)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "counter.pml")
	const source = "byte n; active proctype p() { do :: n < LIMIT -> n++; assert(n < 9) od }\n"
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	for limit, want := range map[string]Verdict{"LIMIT=5": Deadlock, "LIMIT=9": Assertion} {
		into := t.TempDir()
		p, err := Compile(context.Background(), Build{File: file, Macros: []string{limit}}, into)
		require.NoError(t, err)
		r, err := p.Run(context.Background(), Search{HashBits: 10})
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict)
		assert.NotZero(t, r.PeakBytes)
	}
	_, err := Compile(context.Background(), Build{File: file, Macros: []string{"LIMIT=("}}, t.TempDir())
	require.ErrorContains(t, err, "counter.pml")
}
