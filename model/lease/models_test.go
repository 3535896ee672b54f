package lease_test

import (
	"testing"

	"github.com/canvass-grid/canvass/model/checktest"
	"github.com/canvass-grid/canvass/model/lease"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestModels(t *testing.T) {
	checktest.RunCounted(t, lease.Models(), map[string]uint64{
		"lease/one/ask": 23708, "lease/one/restart": 7965, "lease/one/comeback": 31245, "lease/one/mourn": 2665,
		"lease/one/copy": 4873, "lease/one/promise": 1174, "lease/three/refused": 12766, "lease/three/mourn": 5633,
		"lease/three/lives": 39980, "lease/one/begin": 54652, "lease/one/founder": 13249, "lease/one/regrid": 4160,
		"lease/one/closed": 9725, "lease/one/expire": 5439, "lease/one/witness": 23049, "lease/three/begin": 11411,
		"lease/three/split": 29684,
		"lease/limit-drift": 86, "lease/limit-minority": 3103,
	})
}
