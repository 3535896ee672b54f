package reptask_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/reptask"
)

// Two jobs that need the same two nodes. Every order of events is explored.
func Example() {
	for _, m := range reptask.Models() {
		if m.Info().Name != "reptask/pair" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: clusters AB AB; jobs 2@1 2@2 - 435 states: holds
}
