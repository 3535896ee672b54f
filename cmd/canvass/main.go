package main

import (
	"os"

	"github.com/canvass-grid/canvass/model/catalog"
)

func main() {
	os.Exit(run(catalog.All, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
