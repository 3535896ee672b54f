package experiment_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/experiment"
)

func Example() {
	base := experiment.Cell{Workload: "lublin:N=200,nodes=32", Select: "load:to=0.9", Estimate: "exact"}
	policies, err := experiment.ParseValues("policy=fcfs,easy")
	if err != nil {
		panic(err)
	}
	runs, err := experiment.Product([]experiment.Cell{base}, []experiment.Values{policies}, []uint64{1})
	if err != nil {
		panic(err)
	}
	campaign := experiment.Campaign{Lab: &experiment.Lab{}, Rows: experiment.NoRows(), Workers: 2}
	rows, err := campaign.Do(context.Background(), runs)
	if err != nil {
		panic(err)
	}
	for _, r := range rows {
		fmt.Printf("%s: %d jobs done\n", r.Settings.Policy, r.Summary.Done)
	}
	fmt.Println("easy has the shorter mean wait:", rows[1].Summary.Wait.Mean < rows[0].Summary.Wait.Mean)
	// Output:
	// fcfs: 200 jobs done
	// easy: 200 jobs done
	// easy has the shorter mean wait: true
}
