package can

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/canvass-grid/canvass/sim"
)

func TestExplore(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("SEEDS"))
	for _, w := range Worlds() {
		start, counts, fails := time.Now(), map[string]int{}, 0
		var longest int64
		var steps, delivered uint64
		for seed := range uint64(n) {
			p := w.Draw(seed)
			r, err := w.Run(p, sim.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			longest = max(longest, r.AtMicros-p.UntilMicros)
			steps += r.Stats.Steps
			delivered += r.Stats.Delivered
			for k, v := range r.Counts {
				counts[k] += v
			}
			if r.Verdict != sim.Holds {
				fails++
				if fails < 6 {
					t.Logf("%s seed %d: %s %s at %d; %d ops %+v", w.Name(), seed, r.Property, r.Where, r.AtMicros, len(p.Ops), r.Stats)
				}
			}
		}
		t.Logf("%s: %d failures, %v, longest settle %d s, steps %d delivered %d %v", w.Name(), fails, time.Since(start), longest/second, steps, delivered, counts)
	}
}
