package main

import (
	"slices"

	"github.com/canvass-grid/canvass/internal/mutants/probe"
	"github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/sim/clusters"
	grid "github.com/canvass-grid/canvass/sim/peer"
	"github.com/canvass-grid/canvass/sim/tasks"
)

func main() {
	probe.Main(slices.Concat(refine.Models(), reptask.Models(), peer.Models()), slices.Concat(clusters.Worlds(), tasks.Worlds(), grid.Worlds()))
}
