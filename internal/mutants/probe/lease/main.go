package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/lease"
	scenarios "github.com/canvass-grid/canvass/sim/lease"
)

func main() { probe.Main(lease.Models(), scenarios.Scenarios()) }
