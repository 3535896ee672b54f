package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// found is the trace of what a seed of a scenario finds.
func found(t *testing.T, scenario, seed string) string {
	t.Helper()
	folder := t.TempDir()
	var out, diagnostics bytes.Buffer
	run(
		catalog.All,
		scenarios.All,
		[]string{"simulate", scenario, "--seed", seed, "--seeds", "1", "--trace-dir", folder, "--finding-dir", ""},
		strings.NewReader(""),
		&out,
		&diagnostics,
	)
	files, err := filepath.Glob(filepath.Join(folder, "*.itf.json"))
	require.NoError(t, err)
	require.Len(t, files, 1, "%s%s", out.String(), diagnostics.String())
	return files[0]
}

// A page of a simulated run says what the property demands and what was observed, shows the map,
// and has a glossary.
func TestPageOfASimulatedRun(t *testing.T) {
	page := madePage(t, found(t, "can/limit-adjacent-failures", "5"))
	for _, says := range []string{
		"“when quiescent, the zones of the live nodes cover the whole space”", "no node owns ",
		"One level of indirect neighbours does not reach",
		"2 × crash; latency constant 50000 (microseconds); faults: crash 2", "The map after this step", "periodic news",
	} {
		assert.Contains(t, page, says)
	}
	b := chromium(t)
	var got struct {
		First, Last seen
		Down        []string
		Remarks     string
		Gaps        [2]int
	}
	b.drive(t, "simulated", page, look+`
  const gaps = () => document.querySelectorAll("#map .gap").length;
  report.first = look();
  report.gaps = [gaps()];
  document.getElementById("last").click();
  await wait();
  report.last = look();
  report.gaps.push(gaps());
  report.down = [...document.querySelectorAll("#map .disc.out")].map((e) => e.dataset.node);
  report.remarks = document.getElementById("remarks").textContent;`, &got)
	owners := func(s seen) (names []string) {
		for name := range s.Zones {
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	assert.Equal(t, []string{"A", "B", "C", "D", "E"}, owners(got.First))
	assert.Equal(t, []string{"B", "C", "D"}, owners(got.Last))
	assert.Equal(t, []string{"A", "E"}, got.Down)
	assert.Zero(t, got.Gaps[0])
	assert.Positive(t, got.Gaps[1], "of four dimensions two are shown, and the gap is")
	assert.Contains(t, got.Last.Now, "NoGap is violated")
	assert.Contains(t, got.Remarks, "B knows that A is dead, but not which node took its zone")
}
