package jobs_test

import (
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

// A daemon takes a job. Its custodians permit an attempt, which fails.
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

	r := &jobs.Record{
		ID: jobs.NewID(), Spec: jobs.Spec{Command: []string{"false"}, Tasks: 1},
		Custody: jobs.Name{By: here, Number: 1}, Custodians: []protocol.Address{here.Address},
	}
	if err := table.Take(r); err != nil {
		panic(err)
	}
	table.Ask(r, jobs.Attempt{By: owner, Epoch: 1, Hosts: []protocol.NodeID{here}})
	decided := custody.Record{Try: 1, Attempt: r.Asked.Attempt(), Hosts: r.Asked.Hosts}
	table.Follow(r, decided)
	fmt.Println(r.State)
	table.Deposit(r, owner, 1, []jobs.Status{{Code: 3}})
	decided.End, decided.Outcome = custody.Done, r.Digest()
	table.Follow(r, decided)
	fmt.Println(r.State, r.ExitCode())
	fmt.Println(len(table.Puts()), "record to commit")
	// Output:
	// running
	// failed 3
	// 1 record to commit
}
