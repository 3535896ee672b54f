package placement_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/placement"
)

// No node can hold the two older of three jobs that share a turn. The youngest gets its turn
// nevertheless.
func ExampleModels() {
	for _, m := range placement.Models() {
		if m.Info().Name != "placement/three/vain" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.States, "states:", report.Verdict())
	}
	// Output: 725 states: holds
}
