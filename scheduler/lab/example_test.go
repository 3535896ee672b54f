package lab_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/lab"
)

func Example() {
	base := lab.MustCell("workload=lublin:N=200,nodes=32", "select=load:to=0.9", "estimate=exact")
	policies, err := lab.ParseValues("policy=fcfs,easy")
	if err != nil {
		panic(err)
	}
	runs, err := lab.Product([]lab.Cell{base}, []lab.Values{policies}, []uint64{1})
	if err != nil {
		panic(err)
	}
	campaign := lab.Campaign{Lab: &lab.Lab{}, Rows: lab.NoRows(), Workers: 2}
	rows, err := campaign.Do(context.Background(), runs)
	if err != nil {
		panic(err)
	}
	for _, r := range rows {
		fmt.Printf("%s: %d jobs done\n", r.Settings.Get("policy"), r.Summary.Done)
	}
	fmt.Println("easy has the shorter mean wait:", rows[1].Summary.Wait.Mean < rows[0].Summary.Wait.Mean)
	// Output:
	// fcfs: 200 jobs done
	// easy: 200 jobs done
	// easy has the shorter mean wait: true
}
