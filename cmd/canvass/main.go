package main

import (
	"os"

	"github.com/canvass-grid/canvass/model/catalog"
	worlds "github.com/canvass-grid/canvass/sim/catalog"
)

func main() {
	os.Exit(run(catalog.All, worlds.All, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
