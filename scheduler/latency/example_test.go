package latency_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/scheduler/latency"
)

// Two clusters of two hosts, 40 ms apart: a tree that four hosts build predicts all six latencies.
func Example() {
	in := &latency.Input{Name: "two clusters", Hosts: 4, Nanos: func(a, b int) int64 {
		if a/2 == b/2 {
			return 8_000
		}
		return 40_000_000
	}}
	tree := latency.DTM(in, dtm.Both, 1)
	e := latency.Compare(in, tree, 10_000)
	fmt.Println(e.Pairs, "pairs,", e.Near, "of them near; largest error", e.Max)
	fmt.Println("predicted:", tree.Nanos(0, 1), tree.Nanos(1, 2))
	// Output:
	// 6 pairs, 2 of them near; largest error 0
	// predicted: 8000 4e+07
}
