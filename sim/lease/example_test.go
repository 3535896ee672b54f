package lease_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/lease"
)

// A run is a function of its seed.
func ExampleScenarios() {
	for _, w := range lease.Scenarios() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// lease/outages holds true
	// lease/partitions holds true
}
