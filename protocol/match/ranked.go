package match

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Ranked returns those of some places that satisfy a goal. Minimal ones come first, so that larger
// nodes stay free for jobs that need them: places are sorted by the number of smaller ones. draw,
// which gives each node a number, decides among equals.
func Ranked(g *Goal, strict bool, places []Place, draw func(protocol.NodeID) uint64) []protocol.NodeID {
	type ranked struct {
		id    protocol.NodeID
		below int // how many others are smaller
		drawn uint64
	}
	var all []ranked
	for i := range places {
		p := &places[i]
		if !g.Satisfied(&p.Coordinate) {
			continue
		}
		of := ranked{id: p.ID, drawn: draw(p.ID)}
		for k := range places {
			other := &places[k]
			if g.Satisfied(&other.Coordinate) && Less(strict, g.Classes, &other.Coordinate, &p.Coordinate, g.Dims) {
				of.below++
			}
		}
		all = append(all, of)
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.below, b.below), cmp.Compare(a.drawn, b.drawn), a.id.Compare(b.id))
	})
	var ids []protocol.NodeID
	for _, r := range all {
		ids = append(ids, r.id)
	}
	return ids
}
