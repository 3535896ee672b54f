package abd_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/examples/abd"
)

// One client writes, another reads twice and does not store what it has read.
func Example() {
	const careless = true
	system, err := abd.New(careless, []abd.Operation{abd.Write(1)}, []abd.Operation{abd.Read(), abd.Read()})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), system.Model(), checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	linearizable := report.Outcomes[0]
	fmt.Printf("%s: %v\n", linearizable.Property.Name, linearizable.Verdict)
	machine := system.Machine()
	for _, step := range linearizable.Path.Steps[1:] {
		fmt.Println(machine.Enabled()[step.Action])
		for _, effect := range machine.Take(step.Action) {
			fmt.Println("   ", effect)
		}
	}
	// Output:
	// Linearizable: violated
	// command C3 begin
	//     send C3->R0 Ask #1
	//     send C3->R1 Ask #1
	//     send C3->R2 Ask #1
	//     event call D 1
	// command C4 begin
	//     send C4->R0 Ask #1
	//     send C4->R1 Ask #1
	//     send C4->R2 Ask #1
	//     event call E
	// deliver C3->R0 Ask #1
	//     send R0->C3 Answer #1 value 0, stamp 0.0
	// deliver C4->R0 Ask #1
	//     send R0->C4 Answer #1 value 0, stamp 0.0
	// deliver C3->R1 Ask #1
	//     send R1->C3 Answer #1 value 0, stamp 0.0
	// deliver R0->C3 Answer #1 value 0, stamp 0.0
	// deliver R1->C3 Answer #1 value 0, stamp 0.0
	//     send C3->R0 Store #2 value 1, stamp 1.3
	//     send C3->R1 Store #2 value 1, stamp 1.3
	//     send C3->R2 Store #2 value 1, stamp 1.3
	// deliver C3->R1 Store #2 value 1, stamp 1.3
	//     send R1->C3 Stored #2
	// deliver C4->R1 Ask #1
	//     send R1->C4 Answer #1 value 1, stamp 1.3
	// deliver R0->C4 Answer #1 value 0, stamp 0.0
	// deliver R1->C4 Answer #1 value 1, stamp 1.3
	//     send C4->R0 Ask #2
	//     send C4->R1 Ask #2
	//     send C4->R2 Ask #2
	//     event return E 1
	//     event call E
	// deliver C4->R0 Ask #2
	//     send R0->C4 Answer #2 value 0, stamp 0.0
	// deliver C4->R2 Ask #2
	//     send R2->C4 Answer #2 value 0, stamp 0.0
	// deliver R0->C4 Answer #2 value 0, stamp 0.0
	// deliver R2->C4 Answer #2 value 0, stamp 0.0
	//     event return E
}
