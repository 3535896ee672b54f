package generate_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/generate"
)

// Three jobs that are shaped like those of a machine with 64 nodes.
func Example() {
	w, err := generate.Parse("lublin:N=3,nodes=64", 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(w.Name, w.Digest)
	for _, j := range w.Jobs {
		fmt.Printf("at %d µs: nodes %d, run %d µs\n", j.SubmitMicros, j.Nodes, j.RunMicros)
	}
	_, err = generate.Parse("lublin:node=64", 1)
	fmt.Println(err)
	// Output:
	// lublin:N=3,nodes=64,classes=1 bd81d1d2b8c629a8
	// at 245270537 µs: nodes 1, run 262966830 µs
	// at 359374913 µs: nodes 1, run 20310301 µs
	// at 374733136 µs: nodes 2, run 46316199 µs
	// there is no setting of lublin "node"; did you mean "nodes"?
}
