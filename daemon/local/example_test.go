package local_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/local"
)

// The folders of four daemons. All know where the three witnesses listen.
func Example() {
	folder, err := os.MkdirTemp("", "local")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	g := local.Grid{Folder: filepath.Join(folder, "g"), Binary: "canvass", Nodes: 4}
	if err := g.Make(); err != nil {
		fmt.Println(err)
		return
	}
	for i := range g.Nodes {
		c, err := config.Load(g.Data(i))
		fmt.Println(filepath.Base(g.Data(i)), len(c.Grid.Witnesses), len(c.Contacts), err)
	}
	// Output:
	// n1 3 3 <nil>
	// n2 3 3 <nil>
	// n3 3 3 <nil>
	// n4 3 3 <nil>
}
