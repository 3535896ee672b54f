package store_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/store"
)

// The owner of a key leaves while its clients and another's use the key. Every order of events is
// tried.
func Example() {
	for _, m := range store.Models() {
		if m.Info().Name != "store/row2/leave" {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Info().Bounds, "-", report.States, "states:", report.Verdict())
	}
	// Output: 2 zones, 0 joins, 1 leave, 3 operations - 1413 states: holds
}
