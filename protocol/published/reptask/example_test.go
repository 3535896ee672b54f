package reptask_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	published "github.com/canvass-grid/canvass/protocol/published/reptask"
)

// A CANCEL overtakes its DISPATCH. It finds nothing, and the task that comes after it keeps the
// node for no job.
func Example() {
	cfg := published.DefaultConfig()
	b, _ := published.Step(&cfg, published.New(1), published.Input{Kind: protocol.Start})
	a := protocol.NodeID{Address: 0, Incarnation: 1}
	job := published.Job{Owner: a, Number: 1, Nodes: 1}
	for _, kind := range []published.Kind{published.Cancel, published.Dispatch} {
		var out published.Output
		b, out = published.Step(
			&cfg,
			b,
			published.Input{Kind: protocol.Deliver, From: a, Message: published.Message{Kind: kind, Job: job}},
		)
		fmt.Println(kind, len(b.Queue), len(out.Send))
	}
	fmt.Println(b.Queue[0].Status, "for", b.Queue[0].Representative)
	// Output:
	// Cancel 0 0
	// Dispatch 1 1
	// ready for A
}
