package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/custody"
)

func main() { judge.Main(custody.Models()) }
