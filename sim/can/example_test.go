package can_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/can"
)

// A run is a function of its seed.
func ExampleScenarios() {
	for _, w := range can.Scenarios()[:5] {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// can/steady holds true
	// can/churn holds true
	// can/faults holds true
	// can/partition holds true
	// can/bursts holds true
}
