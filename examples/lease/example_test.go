package lease_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/lease"
)

func ExampleNewSketch() {
	sketch := lease.NewSketch(false)
	report, err := checker.Check(context.Background(), sketch, checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range report.Outcomes {
		fmt.Printf("%s: %v\n", o.Property.Name, o.Verdict)
		if o.Verdict == checker.Violated && o.Path != nil {
			for _, step := range o.Path.Steps {
				fmt.Printf("   %+v\n", sketch.Value(step.State))
			}
		}
	}
	// Output:
	// OneHolder: violated
	//    {Lent:0 Holds:[false false false]}
	//    {Lent:1 Holds:[false true false]}
	//    {Lent:0 Holds:[false true false]}
	//    {Lent:2 Holds:[false true true]}
	// Lends: holds
	// deadlock: inconclusive
}

func ExampleNew() {
	const late = true
	system, err := lease.New(2, 1, late)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	oneHolder := report.Outcomes[0]
	fmt.Printf("%s: %v\n", oneHolder.Property.Name, oneHolder.Verdict)
	machine := system.Machine() // takes the same actions in the same order
	for _, step := range oneHolder.Path.Steps[1:] {
		fmt.Println("  ", machine.Enabled()[step.Action])
		machine.Take(step.Action)
	}
	// Output:
	// OneHolder: violated
	//    command C1 acquire
	//    command C2 acquire
	//    deliver C1->S Ask 1
	//    timeout S timer 2
	//    deliver C2->S Ask 1
	//    deliver S->C1 Grant 1
	//    deliver S->C2 Grant 1
}
