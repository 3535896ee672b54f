package main

import (
	"slices"

	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	simpeer "github.com/canvass-grid/canvass/sim/peer"
	simrefine "github.com/canvass-grid/canvass/sim/refine"
	simreptask "github.com/canvass-grid/canvass/sim/reptask"
)

func main() {
	probe.Main(
		slices.Concat(refine.Models(), reptask.Models(), peer.Models()),
		slices.Concat(simrefine.Scenarios(), simreptask.Scenarios(), simpeer.Scenarios()),
	)
}
