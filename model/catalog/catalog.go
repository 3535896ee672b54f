package catalog

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/custody"
	"github.com/canvass-grid/canvass/model/dtm"
	"github.com/canvass-grid/canvass/model/lease"
	"github.com/canvass-grid/canvass/model/muster"
	"github.com/canvass-grid/canvass/model/peer"
	"github.com/canvass-grid/canvass/model/placement"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
	"github.com/canvass-grid/canvass/model/store"
)

// All returns the models, each of them fresh.
func All() []model.Checkable {
	return slices.Concat(
		can.Published(), can.Models(),
		refine.Published(), refine.Models(),
		reptask.Published(), reptask.Models(),
		peer.Models(),
		store.Models(),
		muster.Models(),
		custody.Models(),
		lease.Models(),
		placement.Models(),
		dtm.Published(), dtm.Models(),
	)
}
