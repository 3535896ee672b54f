package reading_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/model/reading"
)

func Example() {
	r, fifo, _ := reading.Parse("@fifo+late", ways)
	fmt.Println(r, fifo, reading.Suffix(r, fifo))
	// Output:
	// late true @late+fifo
}
