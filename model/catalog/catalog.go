package catalog

import (
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/can"
)

// All returns the models, each of them fresh.
func All() []model.Checkable {
	return append(can.Printed(), can.Models()...)
}
