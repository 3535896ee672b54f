package custody_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/custody"
)

// Any one of three custodians crashes. Every order of events is tried.
func Example() {
	for _, m := range custody.Models() {
		if m.Info().Name != "custody/three/crash" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: 3 custodians, 1 attempt - 39417 states: holds
}
