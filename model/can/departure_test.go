package can

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/traces"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files; look at the difference before you commit it")

// Every counterexample of the published core runs against the corrected one, on the same map, with
// the same commands and budget. testdata/departures.txt shows where the executions diverge. The
// property holds in every end state of the corrected one.
func TestWherePublishedCounterexamplesDiverge(t *testing.T) {
	paths, err := filepath.Glob("../../traces/corpus/published-can-*.itf.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	scenarios := map[string]scenario{}
	for _, s := range publishedScenarios() {
		scenarios[s.info("published/can").Name] = s
	}
	var out strings.Builder
	for _, path := range paths {
		trace, err := traces.ReadFile(path)
		require.NoError(t, err)
		s, ok := scenarios[trace.Header.Model]
		require.True(t, ok, "no scenario %s", trace.Header.Model)
		if s.undetected {
			continue // the corrected core has no such mode
		}
		s.expect = nil
		m, err := s.corrected().Compile()
		require.NoError(t, err)
		machine := m.Machine()
		course, err := traces.Follow(machine, trace, nil)
		require.NoError(t, err)
		holds, err := machine.Check(trace.Header.Property)
		require.NoError(t, err)
		assert.True(t, holds, "%s: the corrected core violates %s as well", path, trace.Header.Property)
		fmt.Fprintf(
			&out,
			"%s %s\n  follows %d of %d actions",
			trace.Header.Model,
			trace.Header.Property,
			course.Taken,
			len(trace.Steps)-1,
		)
		if course.Blocked != nil {
			a := course.Blocked.Action
			fmt.Fprintf(
				&out,
				", then cannot %s",
				strings.Join(strings.Fields(strings.Join([]string{a.Kind, a.Peer + "->" + a.Node, a.Text}, " ")), " "),
			)
		}
		out.WriteString("\n")
	}
	golden := filepath.Join("testdata", "departures.txt")
	if *rewrite {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), out.String(), "run with -rewrite if the change is meant")
}
