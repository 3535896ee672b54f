package check

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{
		"1": 1, "64B": 64, "8GiB": 8 << 30, "8 GiB": 8 << 30, "512M": 512 << 20, "1.5k": 1536, "2GB": 2e9,
		"1TiB": 1 << 40,
	} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "1XiB", "1e30", "NaN", "Inf", "1 G i B", "99999999TiB", "0.1"} {
		if got, err := parseBytes(text); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for _, test := range [][2]string{
		{size(3 << 10), "3 KiB"}, {size(9 << 20), "9,216 KiB"}, {size(10 << 20), "10 MiB"}, {size(12 << 30), "12 GiB"},
	} {
		if test[0] != test[1] {
			t.Errorf("got %q, want %q", test[0], test[1])
		}
	}
}

// TestStatus holds what a line of progress says about a check.
func TestStatus(t *testing.T) {
	now := checker.Progress{
		Phase: checker.Searching, States: 1234, Queue: 5, Depth: 6, Elapsed: 90 * time.Second, MemoryBytes: 1 << 20,
	}
	want := "m searching: 1,234 states, queue 5, depth 6, 13 states/s, 1,024 KiB, 1m30s"
	if got := status("m", now); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestQuiet holds that a check of all models in which every verdict is the expected one prints at
// most twelve lines: one for each family and one with the totals.
func TestQuiet(t *testing.T) {
	var systems []chosen
	for _, m := range catalog.All() {
		systems = append(systems, chosen{Checkable: m})
	}
	var b bytes.Buffer
	f := newFamilies(&b, systems)
	var all []*result
	for _, s := range systems {
		info := s.Info()
		r := &result{info: info, report: &checker.Report{Complete: true}}
		for _, e := range info.Expected {
			outcome := checker.Outcome{Property: checker.Property{Name: e.Property}, Verdict: checker.Violated}
			outcome.Property.Shape = checker.Always
			r.report.Outcomes = append(r.report.Outcomes, outcome)
			r.findings = append(r.findings, finding{Outcome: outcome, expected: e.Violated})
		}
		all = append(all, r)
		if err := f.result(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.end(all); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 12 || !strings.Contains(b.String(), " fail as expected") {
		t.Errorf("%d lines:\n%s", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if len(line) > 101 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

// A fault that never happens is named under any budget. Only under the model's own is it a failure.
func TestAFaultThatNeverHappensIsNamed(t *testing.T) {
	never := "suspect never happens, although the budget allows it"
	for _, test := range []struct {
		complete, dead bool
		remarks        []string
	}{
		{true, false, []string{never}},
		{true, true, []string{"DEAD: " + never}},
		{false, false, nil}, // a check that stopped early does not know
	} {
		r := &result{report: &checker.Report{Complete: test.complete},
			coverage: &model.Coverage{Never: []string{never}}, dead: test.dead}
		if got := r.remarks(); !slices.Equal(got, test.remarks) || r.isAsExpected() == test.dead {
			t.Errorf("%+v: %q, as expected: %v", test, got, r.isAsExpected())
		}
	}
}
