package reptask_test

import (
	"fmt"

	printed "github.com/canvass-grid/canvass/model/asprinted/reptask"
	"github.com/canvass-grid/canvass/protocol"
)

// A CANCEL overtakes its DISPATCH. It finds nothing, and the task that comes after it keeps the node for nobody.
func Example() {
	cfg := printed.DefaultConfig()
	b, _ := printed.Step(&cfg, printed.New(1), printed.Input{Kind: protocol.Start})
	a := protocol.NodeID{Address: 0, Incarnation: 1}
	job := printed.Job{Owner: a, Number: 1, Nodes: 1}
	for _, kind := range []printed.Kind{printed.Cancel, printed.Dispatch} {
		var out printed.Output
		b, out = printed.Step(&cfg, b, printed.Input{Kind: protocol.Deliver, From: a, Message: printed.Message{Kind: kind, Job: job}})
		fmt.Println(kind, len(b.Queue), len(out.Send))
	}
	fmt.Println(b.Queue[0].Status, "for", b.Queue[0].Representative)
	// Output:
	// Cancel 0 0
	// Dispatch 1 1
	// ready for A
}
