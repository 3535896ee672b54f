package node_test

import (
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/daemon/config"
)

// The configuration of a daemon is kept in its folder.
func Example() {
	folder, err := os.MkdirTemp("", "node")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	c := config.Config{Listen: "127.0.0.1:0", CPUs: 2, Grid: config.DefaultGrid(7, 3)}
	if err := c.Save(folder); err != nil {
		panic(err)
	}
	again, err := config.Load(folder)
	fmt.Println(again.Grid.Witnesses, again.Grid.Hash() == c.Grid.Hash(), err)
	// Output: [7 8 9] true <nil>
}
