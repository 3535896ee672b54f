package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/dtm"
)

func main() { judge.Main(dtm.Models()) }
