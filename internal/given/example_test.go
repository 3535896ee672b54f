package given_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/given"
)

func Example() {
	_, _, err := given.Regular("/dev/null")
	fmt.Println(err)
	// Output: /dev/null is no regular file, but a device
}
