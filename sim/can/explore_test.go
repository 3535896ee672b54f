package can

import (
	"os"
	"strconv"
	"testing"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/traces"
)

func TestShrinkOne(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	if err != nil {
		t.Skip()
	}
	for _, w := range Worlds() {
		if w.Name() != os.Getenv("WORLD") {
			continue
		}
		p := w.Draw(seed)
		r, err := w.Run(p, sim.RunOptions{})
		if err != nil || r.Verdict != sim.Violated {
			t.Fatal(err, r)
		}
		q, s := sim.Shrink(w, p, r.Property, nil)
		t.Log(q, s.Property, s.Where)
		m, err := sim.NewMachine(w, q)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for len(m.Enabled()) > 0 {
			m.Take(0)
			n++
		}
		tr, err := traces.Record(m, make([]int, n), -1, traces.Header{Model: "sim/" + w.Name(), Property: s.Property, Shape: w.Shape(s.Property), Verdict: traces.Violated, Trigger: -1, Bounds: q.String()})
		if err != nil {
			t.Fatal(err)
		}
		f, _ := os.Create("/tmp/sim-trace.txt")
		traces.WriteText(f, tr)
		f.Close()
		t.Log(n, "steps", traces.Replay(m, tr, nil))
	}
}

func TestExplore(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("SEEDS"))
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	for _, w := range Worlds() {
		counts, fails := map[string]int{}, 0
		var longest int64
		var steps, delivered uint64
		for seed := uint64(from); seed < uint64(from+n); seed++ {
			p := w.Draw(seed)
			r, err := w.Run(p, sim.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == sim.Holds {
				longest = max(longest, r.AtMicros-p.UntilMicros)
			}
			steps += r.Stats.Steps
			delivered += r.Stats.Delivered
			for k, v := range r.Counts {
				counts[k] += v
			}
			if r.Verdict != sim.Holds {
				fails++
				if fails < 12 {
					t.Logf("%s seed %d: %s %s at %d; %d ops %+v", w.Name(), seed, r.Property, r.Where, r.AtMicros, len(p.Ops), r.Stats)
				}
			}
		}
		t.Logf("%s: %d failures, longest settle %d s, steps %d delivered %d %v", w.Name(), fails, longest/second, steps, delivered, counts)
	}
}
