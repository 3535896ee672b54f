package lease_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/lease"
)

// A witness crashes and comes back while C asks for B, whose lease may expire at any time.
func Example() {
	for _, m := range lease.Models() {
		if m.Info().Name != "lease/one/restart" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.States, "states:", report.Verdict())
	}
	// Output: 7965 states: holds
}
