package can_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Figure 6.2: a node leaves and its zone falls to two takers. Every order of events is explored.
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

// A map of your own: C joins the row of A and B by asking A, while B leaves, and one message may
// get lost.
func ExampleSetting_Compile() {
	row, err := space.New(0, 16)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := can.Setting{
		Name: "mine", Space: row, Coords: []space.Point{{2}, {6}, {12}}, Founders: 2, Contacts: []int{0},
		Leavers: []int{1}, Budget: model.Budget{Drop: 1},
	}.Compile()
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Info().Name, "-", report.States, "states:", report.Verdict())
	// Output: can/drawn/mine - 434 states: holds
}
