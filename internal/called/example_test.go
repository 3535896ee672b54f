package called_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/called"
)

func Example() {
	var log called.Log
	holds := called.F1(&log, `Holds of property "Small"`, func(n int) bool { return 10/n > 2 })
	defer func() { fmt.Println(log.Running(), "panicked:", recover()) }()
	holds(3)
	holds(0)
	// Output: Holds of property "Small" panicked: runtime error: integer divide by zero
}
