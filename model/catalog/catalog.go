package catalog

import (
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
	"github.com/canvass-grid/canvass/model/refine"
	"github.com/canvass-grid/canvass/model/reptask"
)

// All returns the models, each of them fresh.
func All() []model.Checkable {
	return slices.Concat(can.Printed(), refine.Printed(), reptask.Printed(), can.Models(), refine.Models(), reptask.Models())
}
