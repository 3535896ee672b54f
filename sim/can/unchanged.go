package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol/can"
)

// Unchanged reports whether two states are equal. It may report false for equal states.
func Unchanged(a, b *can.State) bool {
	return a.Phase == b.Phase && a.Contact == b.Contact && a.Leave == b.Leave && a.Round == b.Round &&
		a.Promise == b.Promise && sameRecord(&a.Self, &b.Self) &&
		a.Change.Stage == can.Stable && b.Change.Stage == can.Stable &&
		slices.Equal(a.Dead, b.Dead) && sameRecords(a.Known, b.Known)
}

func sameRecords(a, b []can.Record) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameRecord(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func sameRecord(a, b *can.Record) bool {
	return a.ID == b.ID && a.Version == b.Version && a.Epoch == b.Epoch && a.Zone == b.Zone && a.Coord == b.Coord &&
		slices.Equal(a.Splits, b.Splits)
}
