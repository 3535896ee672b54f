package dtm_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/dtm"
)

// Two hosts of a chain leave at once. Every order of events is explored.
func Example() {
	for _, m := range dtm.Models() {
		if m.Info().Name != "dtm/leave-chain" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: 4 members, 2 leaves, manner both - 1533 states: holds
}
