package founders_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Three nodes join a line of eight points.
func Example() {
	line, err := space.New(0, 8)
	if err != nil {
		panic(err)
	}
	cfg := can.DefaultConfig(line)
	coords := []space.Point{{1}, {6}, {4}}
	for _, f := range founders.New(&cfg, len(coords), func(i int) space.Point { return coords[i] }) {
		fmt.Println(f.State.Self.ID, line.ZoneText(f.State.Self.Zone), len(f.State.Direct()))
	}
	// Output:
	// A [0,4) 1
	// B [5,8) 1
	// C [4,5) 2
}
