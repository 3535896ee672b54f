package tasks_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/tasks"
)

// A run is a function of its seed.
func ExampleWorlds() {
	for _, w := range tasks.Worlds()[:5] {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name(), first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// tasks/bursts holds true
	// tasks/duels holds true
	// tasks/heirs holds true
	// tasks/leases holds true
	// tasks/walks holds true
}
