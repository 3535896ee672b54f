package store_test

import (
	"testing"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/checktest"
	"github.com/canvass-grid/canvass/model/store"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestSmallModels(t *testing.T) {
	checktest.RunCounted(t, store.Models(), map[string]uint64{
		"store/row2/join": 23729, "store/row2/join-cas": 22367, "store/row2/leave": 1413, "store/tee/leave": 41969,
		"store/row3/leave":        21818,
		"store/row3/leaver-calls": 3384, "store/row3/leave-lookup": 7470, "store/row3/crash-lookup": 27174,
		"store/row3/crash":        22520,
		"store/row2/crash-rejoin": 23659, "store/row3/limit-crash": 776,
		"store/row2/join-giver-leaves": 11688, "store/row2/two-givers": 32686, "store/row3/crash-crash": 21221,
		"store/row2/few-decided": 593, "store/row2/limit-few-decided": 760, "store/row3/few-left": 2436,
		"store/row2/few-items": 87, "store/row2/few-operations": 47, "store/row3/few-tried": 1954,
	})
}

// Under a larger budget than its own a system still keeps its promises.
func TestMoreFaults(t *testing.T) {
	system := checktest.Named(t, store.Models(), "store/row2/leave")
	checktest.RunSystem(t, system, checktest.Budget(model.Budget{Drop: 1, Duplicate: 1}))
}
