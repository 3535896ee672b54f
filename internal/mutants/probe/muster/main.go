package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/muster"
	scenarios "github.com/canvass-grid/canvass/sim/muster"
)

func main() { probe.Main(muster.Models(), scenarios.Scenarios()) }
