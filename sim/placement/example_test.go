package placement_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/placement"
)

func ExampleScenarios() {
	for _, w := range placement.Scenarios() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// placement/turns holds true
	// placement/crashes holds true
}
