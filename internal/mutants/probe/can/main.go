package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/can"
	scenarios "github.com/canvass-grid/canvass/sim/can"
)

func main() { probe.Main(can.Models(), scenarios.Scenarios()) }
