package english_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker/english"
)

func Example() {
	fmt.Println(english.Count(0, "node"), english.Count(1, "node"), english.Count(1200, "node"))
	fmt.Println(english.Count(1, "crash"), english.Count(2, "crash"), english.Count(3, "loss"))
	fmt.Println(english.Grouped(0), english.Grouped(999), english.Grouped(1000), english.Grouped(1234567))
	// Output:
	// 0 nodes 1 node 1,200 nodes
	// 1 crash 2 crashes 3 losses
	// 0 999 1,000 1,234,567
}
