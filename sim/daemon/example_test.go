package daemon_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/daemon"
)

// A run is a function of its seed, though whole daemons take part.
func ExampleScenarios() {
	for _, w := range daemon.Scenarios() {
		first, err := w.Run(w.Draw(4711), sim.RunOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		second, _ := w.Run(w.Draw(4711), sim.RunOptions{})
		fmt.Println(w.Name, first.Verdict, first.Digest == second.Digest)
	}
	// Output:
	// daemon/jobs holds true
	// daemon/leaves holds true
	// daemon/forgers holds true
	// daemon/crashes holds true
	// daemon/losses holds true
	// daemon/pauses holds true
	// daemon/cuts holds true
	// daemon/all holds true
	// daemon/returns holds true
	// daemon/removals holds true
	// daemon/rests holds true
	// daemon/calendar holds true
	// daemon/shims holds true
	// daemon/files holds true
}
