package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/custody"
	scenarios "github.com/canvass-grid/canvass/sim/custody"
)

func main() { probe.Main(custody.Models(), scenarios.Scenarios()) }
