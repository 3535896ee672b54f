package main

import (
	"os"

	"github.com/canvass-grid/canvass/model/catalog"
	scenarios "github.com/canvass-grid/canvass/sim/catalog"
)

func main() {
	os.Exit(run(catalog.All, scenarios.All, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
