package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

// found is the trace that a seed of a scenario finds.
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

// A page of a simulated run has the demand of the property and the observation, shows the map, and
// has a glossary.
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

// ran runs a command, which must succeed.
func ran(t *testing.T, args ...string) {
	t.Helper()
	var out, diagnostics bytes.Buffer
	code := run(catalog.All, scenarios.All, args, strings.NewReader(""), &out, &diagnostics)
	require.Zero(t, code, "%v: %s", args, diagnostics.String())
}

// Every kind of page fits a telephone, a tablet and a desk: the page does not scroll sideways, and
// no text runs out of its place and over its neighbour.
func TestPagesFitTheirScreens(t *testing.T) {
	b := chromium(t)
	pages := map[string]string{
		"replay": madePage(t, figure64), "simulated": madePage(t, found(t, "can/limit-adjacent-failures", "5")),
	}
	t.Chdir(t.TempDir())
	const long = "filter:size<=32,window:densest:50:parallel,compress:to=1h,load:to=0.9,head:20"
	lublin := []string{"--workload", "lublin:N=200,nodes=32", "--policy", "fcfs", "--set", "select=" + long}
	ran(t, append([]string{"lab", "sweep", "-q", "--over", "trim=none;10:10", "--over", "estimate=exact;factor:2",
		"--seeds", "2", "--out", "rows"}, lublin...)...)
	ran(t, append([]string{"lab", "run", "-q", "--jobs-out", "jobs.csv"}, lublin...)...)
	for name, args := range map[string][]string{
		"experiments": {"run", "-q", "jackson/4.6", "jackson/t5.2", "central/order", "--html"},
		"bars":        {"plot", "rows", "--out"},
		"heat":        {"plot", "rows", "--kind", "heat", "--out"},
		"cdf":         {"plot", "rows", "--kind", "cdf", "--out"},
		"queue":       {"plot", "jobs.csv", "--kind", "queue", "--out"},
		"gantt":       {"plot", "jobs.csv", "--kind", "gantt", "--out"},
		"shapes":      {"plot", "jobs.csv", "--kind", "shapes", "--out"},
	} {
		ran(t, append(append([]string{"lab"}, args...), name+".html")...)
		page, err := os.ReadFile(name + ".html")
		require.NoError(t, err)
		pages[name] = string(page)
	}
	for name, page := range pages {
		inner, err := json.Marshal(page)
		require.NoError(t, err)
		var got struct{ Widths, Over []string }
		b.drive(t, "fit-"+name, "<!DOCTYPE html><body></body>", `
  report.widths = [];
  report.over = [];
  for (const width of [400, 1000, 1400]) {
    const frame = document.createElement("iframe");
    frame.style = "height: 900px; border: 0; width: " + width + "px";
    frame.srcdoc = `+string(inner)+`;
    const loaded = new Promise((done) => frame.addEventListener("load", done));
    document.body.append(frame);
    await loaded;
    const page = frame.contentDocument;
    for (const e of page.querySelectorAll("details")) e.open = true;
    const wide = page.documentElement.scrollWidth;
    if (wide > width) report.widths.push(width + ": " + wide);
    for (const e of page.querySelectorAll("figcaption, p, h1, h2, h3, li, summary")) {
      if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0) report.over.push(width + ": " + e.textContent);
    }
  }`, &got)
		assert.Empty(t, got.Widths, "%s scrolls sideways", name)
		assert.Empty(t, got.Over, "%s: texts that run out of their place", name)
	}
}
