package placement_test

import (
	"testing"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
	"github.com/canvass-grid/canvass/model/placement"
)

// The systems, with the numbers of their states. A commit that changes a number says why.
func TestModels(t *testing.T) {
	checktest.RunCounted(t, placement.Models(), map[string]uint64{
		"placement/one/run": 779, "placement/one/vain": 8, "placement/one/busy": 56, "placement/one/hold": 403,
		"placement/one/yield": 7417, "placement/one/death": 109, "placement/one/heir": 238, "placement/one/restart": 64,
		"placement/two/turn": 875, "placement/two/vain": 68, "placement/two/death": 2810, "placement/three/vain": 725,
		"placement/two/silent": 74,
		"placement/three/turn": 66_622, "placement/limit-mute": 19,
	})
}

// Under another budget than its own a system still keeps its promises.
func TestMoreFaults(t *testing.T) {
	system := checktest.Named(t, placement.Models(), "placement/two/turn")
	checktest.RunSystem(t, system, checktest.Budget(model.Budget{Spurious: 1}))
}
