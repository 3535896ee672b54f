package muster_test

import (
	"testing"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
	"github.com/canvass-grid/canvass/model/muster"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestModels(t *testing.T) {
	checktest.RunCounted(t, muster.Models(), map[string]uint64{
		"muster/one/run": 24, "muster/one/remote": 8671, "muster/pair/run": 9772, "muster/three/run": 6322,
		"muster/pair/failure": 7881, "muster/pair/unfit": 4477, "muster/three/crash": 1024, "muster/three/cancel": 12860,
		"muster/three/failure": 15596, "muster/pair/crash": 7541, "muster/apart/crash": 1250, "muster/apart/revoke": 13094,
		"muster/limit-no-end": 78, "muster/pair/lost": 3450, "muster/one/lost": 20794,
	})
}

// Under another budget than its own a system still keeps its promises.
func TestMoreFaults(t *testing.T) {
	system := checktest.Named(t, muster.Models(), "muster/three/cancel")
	checktest.RunSystem(t, system, checktest.Budget(model.Budget{Crash: 1}))
}
