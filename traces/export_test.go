package traces_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/canvass-grid/canvass/traces"
)

// ShiViz's default expression matches the whole log, each host counts its own events from 1, no
// clock goes backwards, and a message is received after it was sent.
func TestShiVizClocks(t *testing.T) {
	expression := regexp.MustCompile(`(?m)^(?P<event>.*)\n(?P<host>\S*) (?P<clock>{.*})$`)
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := traces.WriteShiViz(&b, run.make()); err != nil {
				t.Fatal(err)
			}
			found := expression.FindAllStringSubmatch(b.String(), -1)
			if lines := strings.Count(b.String(), "\n"); lines != 2*len(found) {
				t.Errorf("%d lines, but %d events", lines, len(found))
			}
			last := map[string]map[string]int{}
			for _, f := range found {
				event, host, clock := f[1], f[2], map[string]int{}
				if err := json.Unmarshal([]byte(f[3]), &clock); err != nil {
					t.Fatal(err)
				}
				if clock[host] != last[host][host]+1 {
					t.Errorf("%s: %q is event %d of the host, after %d", host, event, clock[host], last[host][host])
				}
				for other, n := range last[host] {
					if clock[other] < n {
						t.Errorf("%s: %q knows less of %s than the event before", host, event, other)
					}
				}
				last[host] = clock
			}
		})
	}
	var b bytes.Buffer
	if err := traces.WriteShiViz(&b, disordered()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "event got 2\nB {\"A\":3,\"B\":2}\n") {
		t.Errorf("the clock of the second arrival does not include both sends:\n%s", b.String())
	}
}

// In the Chrome trace format no two slices of a track overlap, and an arrow begins and ends within
// slices.
func TestPerfettoSlices(t *testing.T) {
	type event struct {
		Name, Ph     string
		TS, Dur, TID int
		ID           int
	}
	for _, run := range runs {
		t.Run(run.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := traces.WritePerfetto(&b, run.make()); err != nil {
				t.Fatal(err)
			}
			var file struct{ TraceEvents []event }
			if err := json.Unmarshal(b.Bytes(), &file); err != nil {
				t.Fatal(err)
			}
			slicesOf, ends := map[int][]event{}, map[int]string{}
			for _, e := range file.TraceEvents {
				switch e.Ph {
				case "X":
					slicesOf[e.TID] = append(slicesOf[e.TID], e)
				case "s", "f":
					ends[e.ID] += e.Ph
				}
			}
			for track, all := range slicesOf {
				slices.SortFunc(all, func(a, b event) int { return a.TS - b.TS })
				for i := 1; i < len(all); i++ {
					if all[i].TS < all[i-1].TS+all[i-1].Dur {
						t.Errorf("track %d: %q and %q overlap", track, all[i-1].Name, all[i].Name)
					}
				}
			}
			for _, e := range file.TraceEvents {
				within := func(s event) bool { return s.TS <= e.TS && e.TS < s.TS+s.Dur }
				if (e.Ph == "s" || e.Ph == "f") && !slices.ContainsFunc(slicesOf[e.TID], within) {
					t.Errorf("the end %q of %q is in no slice", e.Ph, e.Name)
				}
			}
			for id, both := range maps.All(ends) {
				if both != "sf" {
					t.Errorf("arrow %d has the ends %q", id, both)
				}
			}
		})
	}
}
