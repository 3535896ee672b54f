package stateset

import (
	"testing"

	"github.com/canvass-grid/canvass/checker/internal/hashfn"
	"github.com/canvass-grid/canvass/checker/internal/memory"
)

// BenchmarkMemory measures the limits of the memory: lines a second that one processor fetches from
// random places in tables of the size of a visited set of ten million states, thirty-two loads at a
// time as in touch; and lines a second that it reads in order. A check cannot look up more states
// than that.
func BenchmarkMemory(b *testing.B) {
	const words, lookups, line = 14 << 20, 1 << 22, 8
	table := memory.GrowSlots(nil, words)
	for i := range table {
		table[i] = uint64(i)
	}
	b.Run("random", func(b *testing.B) {
		sum := uint64(0)
		for b.Loop() {
			var s shard
			s.slots, s.size, s.stride = table, words, 8
			s.view()
			keys := make([]uint64, touchAhead)
			for at := uint64(0); at < lookups; at += touchAhead {
				for i := range keys {
					keys[i] = hashfn.Mix(at + uint64(i) + 1)
				}
				s.touch(keys, 0)
				sum += s.warmed
			}
		}
		b.ReportMetric(float64(b.N)*lookups/b.Elapsed().Seconds(), "lines/s")
		sink = sum
	})
	b.Run("in-order", func(b *testing.B) {
		sum := uint64(0)
		for b.Loop() {
			for i := 0; i < words; i += line {
				sum += table[i]
			}
		}
		b.ReportMetric(float64(b.N)*words/line/b.Elapsed().Seconds(), "lines/s")
		sink = sum
	})
}

// sink keeps the measured code from being optimised away.
var sink uint64
