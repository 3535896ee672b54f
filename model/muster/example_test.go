package muster_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/muster"
)

// B fails, which halts A. Every order of events is tried, with messages dropped and duplicated.
func Example() {
	for _, m := range muster.Models() {
		if m.Info().Name != "muster/pair/failure" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: 2 hosts, B may fail - 7881 states: holds
}
