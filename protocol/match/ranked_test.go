package match_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

// TestRankedPutsMinimalPlacesFirst has a node that is too small, two that are equal, and larger
// ones with small numbers.
func TestRankedPutsMinimalPlacesFirst(t *testing.T) {
	plane, err := space.New(0, 10, 10)
	assert.NoError(t, err)
	goal := match.NewGoal(&match.Classes{}, &plane, space.Point{3, 3})
	id := func(address protocol.Address) protocol.NodeID {
		return protocol.NodeID{Address: address, Incarnation: 1}
	}
	places := []match.Place{
		{ID: id(0), Coordinate: space.Point{9, 9}},
		{ID: id(1), Coordinate: space.Point{2, 9}},
		{ID: id(2), Coordinate: space.Point{4, 4}},
		{ID: id(3), Coordinate: space.Point{4, 4}},
		{ID: id(4), Coordinate: space.Point{4, 9}},
	}
	numbers := []uint64{0, 1, 7, 6, 2}
	draw := func(id protocol.NodeID) uint64 { return numbers[id.Address] }
	assert.Equal(t, []protocol.NodeID{id(3), id(2), id(4), id(0)}, match.Ranked(&goal, false, places, draw))
	// A node that cannot run the job makes no difference: (2,9) is smaller than (4,9), but not than
	// (9,4).
	beside := []match.Place{{ID: id(0), Coordinate: space.Point{9, 4}}, places[1], places[4]}
	assert.Equal(t, []protocol.NodeID{id(0), id(4)}, match.Ranked(&goal, false, beside, draw))
	beside[0].ID = id(2)
	assert.Equal(t, []protocol.NodeID{id(4), id(2)}, match.Ranked(&goal, false, beside, draw))
	// Strictly, (4,9) is not larger than (4,4), so a number decides.
	assert.Equal(t, []protocol.NodeID{id(4), id(3), id(2), id(0)}, match.Ranked(&goal, true, places, draw))
}
