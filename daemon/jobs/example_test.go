package jobs_test

import (
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

func Example() {
	folder, err := os.MkdirTemp("", "jobs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	store, err := disk.Open(folder)
	if err != nil {
		panic(err)
	}
	defer store.Close()
	table, err := jobs.NewTable(store, clock)
	if err != nil {
		panic(err)
	}

	r, err := table.Submit(jobs.Spec{Command: []string{"true"}}, "")
	if err != nil {
		panic(err)
	}
	granted, _ := table.Permit(r, jobs.Attempt{By: owner, Epoch: 1})
	other, _ := table.Permit(r, jobs.Attempt{By: owner, Epoch: 2})
	fmt.Println(r.State, granted, other)
	_ = table.Deposit(r, jobs.Attempt{By: owner, Epoch: 1}, []jobs.Status{{Code: 3}})
	fmt.Println(r.State, r.ExitCode())
	// Output:
	// running true false
	// failed 3
}
