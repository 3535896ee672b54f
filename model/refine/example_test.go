package refine_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/refine"
)

// Two heads solicit one client, which has a place for one of them. Every order of events is
// explored.
func Example() {
	for _, m := range refine.Models() {
		if m.Info().Name != "refine/two-heads" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: M=2, N=2 - 160 states: holds
}
