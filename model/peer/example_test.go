package peer_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/peer"
)

// The smallest of the models: a job finds its owner and runs on two nodes.
func ExampleModels() {
	m := peer.Models()[0]
	report, err := checker.Check(context.Background(), m.Model(), checker.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Info().Name, report.Verdict(), report.States)
	// Output: peer/job holds 26
}
