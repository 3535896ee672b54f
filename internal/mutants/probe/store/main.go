package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/store"
	scenarios "github.com/canvass-grid/canvass/sim/store"
)

func main() { probe.Main(store.Models(), scenarios.Scenarios()) }
