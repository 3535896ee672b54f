package local_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
)

// The folders of two daemons. The second one knows where the first one listens.
func Example() {
	folder, err := os.MkdirTemp("", "local")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	g := local.Grid{Folder: filepath.Join(folder, "g"), Binary: "canvass", Nodes: 2}
	if err := g.Make(); err != nil {
		fmt.Println(err)
		return
	}
	for i := range g.Nodes {
		c, err := node.LoadConfig(g.Data(i))
		fmt.Println(filepath.Base(g.Data(i)), c.Founder, len(c.Contacts), err)
	}
	// Output:
	// n1 true 0 <nil>
	// n2 false 1 <nil>
}
