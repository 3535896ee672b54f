package twophase_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/twophase"
)

func Example() {
	model, err := twophase.New(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), model, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.States, "states,", report.Transitions, "transitions:", report.Verdict())
	for _, o := range report.Outcomes {
		fmt.Printf("%s: %v\n", o.Property.Name, o.Verdict)
	}
	fmt.Println("a shortest way to commit:")
	for _, step := range report.Outcomes[1].Path.Steps {
		fmt.Println("  ", model.Text(step.State))
	}
	// Output:
	// 288 states, 1145 transitions: holds
	// Consistent: holds
	// Commits: holds
	// Aborts: holds
	// deadlock: holds
	// a shortest way to commit:
	//    www undecided 0 known
	//    pww undecided 0 known
	//    pww undecided 1 known
	//    ppw undecided 1 known
	//    ppw undecided 2 known
	//    ppp undecided 2 known
	//    ppp undecided 3 known
	//    ppp commit 3 known
	//    cpp commit 3 known
	//    ccp commit 3 known
	//    ccc commit 3 known
}
