package paxos_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/paxos"
)

func Example() {
	system, err := paxos.New(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.States, "states,", report.Transitions, "transitions:", report.Verdict())

	fmt.Println("a shortest way to read:")
	machine := system.Machine() // takes the same actions in the same order
	for _, step := range report.Outcomes[1].Path.Steps[1:] {
		fmt.Println("  ", machine.Enabled()[step.Action])
		machine.Take(step.Action)
	}
	// Output:
	// 16668 states, 32970 transitions: holds
	// a shortest way to read:
	//    deliver C3->S0 Put
	//    deliver S0->S1 Prepare 1.S0
	//    deliver S1->S0 Prepared 1.S0, last vote none
	//    deliver S0->S1 Accept C3 in 1.S0
	//    deliver S1->S0 Accepted 1.S0
	//    deliver S0->S1 Decided C3 in 1.S0
	//    deliver S0->C3 PutOk
	//    deliver C3->S1 Get
	//    deliver S1->C3 GetOk C3
}
