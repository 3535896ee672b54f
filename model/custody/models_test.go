package custody_test

import (
	"testing"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
	"github.com/canvass-grid/canvass/model/custody"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestModels(t *testing.T) {
	checktest.RunCounted(t, custody.Models(), map[string]uint64{
		"custody/one/run": 165, "custody/one/crash": 102, "custody/two/run": 9576, "custody/two/cancel": 281,
		"custody/two/crash": 4821, "custody/two/crash-cancel": 1015, "custody/two/restart": 7196,
		"custody/two/forget": 15903, "custody/two/last": 21501, "custody/two/back": 28634,
		"custody/two/heir": 35003, "custody/three/heir": 13849, "custody/three/lone": 7873,
		"custody/three/run": 2831, "custody/three/crash": 39417,
		"custody/limit-last-to-fail": 28185, "custody/limit-false-death": 4162,
	})
}

// Under another budget than its own a system still keeps its promises.
func TestMoreFaults(t *testing.T) {
	system := checktest.Named(t, custody.Models(), "custody/two/cancel")
	checktest.RunSystem(t, system, checktest.Budget(model.Budget{Crash: 1, Duplicate: 1}))
}
