package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/refine"
)

func main() { judge.Main(refine.Models()) }
