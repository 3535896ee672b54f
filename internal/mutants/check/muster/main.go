package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/muster"
)

func main() { judge.Main(muster.Models()) }
