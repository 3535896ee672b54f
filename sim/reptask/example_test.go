package reptask_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/reptask"
)

// A run is a function of its seed.
func ExampleScenarios() {
	for _, w := range reptask.Scenarios()[:5] {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// reptask/bursts holds true
	// reptask/duels holds true
	// reptask/heirs holds true
	// reptask/leases holds true
	// reptask/walks holds true
}
