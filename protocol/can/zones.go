package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/space"
)

func overlapsAny(z space.Zone, zones []space.Zone) bool {
	return slices.ContainsFunc(zones, z.Overlaps)
}

func abutsAny(z space.Zone, zones []space.Zone) bool {
	return slices.ContainsFunc(zones, func(other space.Zone) bool { _, ok := z.Abuts(other); return ok })
}
