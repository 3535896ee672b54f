package peer_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/peer"
)

// A run is a function of its seed.
func ExampleWorlds() {
	for _, w := range peer.Worlds() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name(), first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// grid/jobs holds true
	// grid/churn holds true
	// grid/faults holds true
	// grid/bursts holds true
	// grid/duels holds true
	// grid/drift holds true
	// grid/moves holds true
}
