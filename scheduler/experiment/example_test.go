package experiment_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/experiment"
	"github.com/canvass-grid/canvass/scheduler/lab"
)

func Example() {
	chosen, err := experiment.Choose([]string{"central/order"})
	if err != nil {
		panic(err)
	}
	runs, err := chosen[0].Runs("ci", []uint64{1, 2})
	if err != nil {
		panic(err)
	}
	campaign := lab.Campaign{Lab: &lab.Lab{}, Rows: lab.NoRows(), Workers: 2}
	rows, err := campaign.Do(context.Background(), runs)
	if err != nil {
		panic(err)
	}
	for _, j := range chosen[0].Judge(rows) {
		fmt.Printf("%s: %s\n", j.Claim, j.Verdict)
	}
	// Output:
	// easy has a smaller mean wait than fcfs: undetermined
	// conservative has a smaller mean wait than fcfs: undetermined
	// easy-sjbf has a smaller mean bounded slowdown than easy: undetermined
}
