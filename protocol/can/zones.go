package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/space"
)

func overlapsAny(z space.Zone, zones []space.Zone) bool {
	return slices.ContainsFunc(zones, z.Overlaps)
}

// touches reports whether a zone is beside another or overlaps it. The latter happens if one is a
// hole and the other belongs to a node that has taken its share: a hole keeps its original shape on
// record, and the rest of it is beside that taker.
func touches(z, other space.Zone) bool {
	_, abuts := z.Abuts(other)
	return abuts || z.Overlaps(other)
}

func touchesAny(z space.Zone, zones []space.Zone) bool {
	return slices.ContainsFunc(zones, func(other space.Zone) bool { return touches(z, other) })
}
