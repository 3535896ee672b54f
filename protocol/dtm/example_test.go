package dtm_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

// A and B are 10 apart. C measures 6 to A and 8 to B, so its segment ends 4 from A and is 2 long.
func Example() {
	a := dtm.Label{{Host: protocol.NodeID{Address: 0, Incarnation: 1}}}
	b := append(dtm.Label{{Host: protocol.NodeID{Address: 1, Incarnation: 1}, Length: 10}}, a...)
	var c dtm.Known
	c.Add(dtm.Reading{Label: a, Measured: 6})
	c.Add(dtm.Reading{Label: b, Measured: 8})
	place, mean := c.Best()
	fmt.Println("anchor", place.On.Label[0].Host, "at", place.On.At, "length", place.Length, "deviation", mean)
	label := place.Label(protocol.NodeID{Address: 2, Incarnation: 1})
	toA, _ := dtm.Predict(label, a)
	toB, _ := dtm.Predict(label, b)
	fmt.Println(toA, toB)
	// Output:
	// anchor B at 6 length 2 deviation 0
	// 6 8
}
