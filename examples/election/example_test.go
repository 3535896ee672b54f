package election_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/election"
	"github.com/canvass-grid/canvass/model"
)

// The planted bug elects a node that is not the highest.
func ExampleNew() {
	ring, err := election.New(election.Ring{IDs: []uint8{1, 3, 2}, Network: model.FIFO, KeepAll: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), ring.Model(), checker.Options{ContinueAfterViolation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range report.Outcomes {
		fmt.Printf("%s: %v\n", o.Property.Name, o.Verdict)
	}
	fmt.Println("a shortest run to a leader that is not the highest:")
	machine := ring.Machine() // takes the same actions, one at a time
	for _, step := range report.Outcomes[1].Path.Steps[1:] {
		fmt.Println("  ", machine.Enabled()[step.Action])
		machine.Take(step.Action)
	}
	// Output:
	// OneLeader: violated
	// Highest: violated
	// Swept: violated
	// Known: holds
	// Elects: holds
	// deadlock: holds
	// a shortest run to a leader that is not the highest:
	//    command A start
	//    deliver A->B candidate 1
	//    deliver B->C candidate 1
	//    deliver C->A candidate 1
}
