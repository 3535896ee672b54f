package can_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/can"
)

// Figure 6.2: a node leaves and its zone falls to two takers. Every order of events is tried.
func Example() {
	for _, m := range can.Models() {
		if m.Info().Name != "can/tee/leave" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: 3 zones, 0 joins, 1 leave - 18 states: holds
}
