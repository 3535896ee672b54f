package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/judge"
	"github.com/canvass-grid/canvass/model/reptask"
)

func main() { judge.Main(reptask.Models()) }
