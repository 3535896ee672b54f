package blame_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/blame"
)

func Example() {
	var log blame.Log
	holds := blame.F1(&log, `Holds of property "Small"`, func(n int) bool { return 10/n > 2 })
	defer func() { fmt.Println(log.Running(), "panicked:", recover()) }()
	holds(3)
	holds(0)
	// Output: Holds of property "Small" panicked: runtime error: integer divide by zero
}
