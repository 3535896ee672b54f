package peer_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/peer"
)

// A run is a function of its seed.
func ExampleScenarios() {
	for _, w := range peer.Scenarios() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// peer/jobs holds true
	// peer/churn holds true
	// peer/faults holds true
	// peer/slow holds true
	// peer/bursts holds true
	// peer/duels holds true
	// peer/drift holds true
	// peer/search holds true
	// peer/moves holds true
	// peer/predicted holds true
}
