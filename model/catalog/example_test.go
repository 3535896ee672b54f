package catalog_test

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model/catalog"
)

// The published protocol on the map of figure 6.4, and the properties that it is expected to
// violate.
func ExampleAll() {
	for _, m := range catalog.All() {
		info := m.Info()
		if !strings.HasPrefix(info.Name, "published/can/row4/leave-leave") {
			continue
		}
		fmt.Println(info.Name)
		for _, e := range info.Expected {
			fmt.Println("  violated:", e.Property)
		}
	}
	// Output:
	// published/can/row4/leave-leave
	//   violated: NeighboursKnow
	//   violated: ViewsAgree
	//   violated: Routable
}
