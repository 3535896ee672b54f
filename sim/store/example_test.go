package store_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/store"
)

// A run is a function of its seed.
func ExampleScenarios() {
	for _, w := range store.Scenarios() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// store/steady holds true
	// store/churn holds true
	// store/crash holds true
	// store/bursts holds true
	// store/duels holds true
	// store/returns holds true
	// store/walks holds true
}
