package clusters_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/clusters"
)

// A run is a function of its seed.
func ExampleWorlds() {
	for _, w := range clusters.Worlds() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name(), first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// clusters/bursts holds true
	// clusters/suspicion holds true
	// clusters/walks holds true
}
