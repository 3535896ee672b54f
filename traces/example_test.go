package traces_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/traces"
)

// A run is recorded, written, read back, made again on another machine of the same model, and
// shown.
func Example() {
	recorded, err := traces.Record(&relay{}, []int{0, 0, 2, 0}, -1, traces.Header{
		Model: "toy/relay", Property: "InOrder", Shape: traces.Always, Verdict: traces.Violated, Trigger: -1,
		Bounds: "2 numbers", Budget: traces.Budget{Drop: 1}, Commit: "0123abc", Go: "go1.26",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := traces.Write(&file, recorded); err != nil {
		fmt.Println(err)
		return
	}
	read, err := traces.Read(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := traces.WriteText(os.Stdout, read); err != nil {
		fmt.Println(err)
	}
	fmt.Println(traces.Replay(&relay{}, read, nil))
	fmt.Println(traces.Replay(&relay{sorted: true}, read, nil))
	// Output:
	// # toy/relay: InOrder (always) is violated by a run of 4 actions
	// # bounds: 2 numbers; faults: drop 1
	// # commit=0123abc go1.26
	// 00 init                  => A: sent 0; B: got []; network: -
	// 01 command A tell 1      => A: sent 1; network: 1; send A->B number 1
	// 02 command A tell 2      => A: sent 2; network: 1 2; send A->B number 2
	// 03 deliver A->B number 2 => B: got [2]; network: 1; event got 2
	// 04 deliver A->B number 1 => B: got [2 1]; network: -; event got 1
	// # VIOLATED InOrder (always)
	// <nil>
	// step 4: after "deliver A->B number 1" the variable B is "got [1 2]", recorded was "got [2 1]"
}
