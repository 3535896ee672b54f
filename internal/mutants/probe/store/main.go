package main

import (
	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/store"
	worlds "github.com/canvass-grid/canvass/sim/store"
)

func main() { probe.Main(store.Models(), worlds.Scenarios()) }
