package member

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol"
)

// A gap counts when nothing on the map has changed for a while, and all that live have answered.
func TestAGapThatStays(t *testing.T) {
	a, b, c := protocol.NodeID{Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2}
	whole := []api.NodeReport{{Node: a, Share: 0.5}, {Node: b, Share: 0.5}}
	gap := []api.NodeReport{{Node: a, Share: 0.5}, {Node: c, Error: api.Dead}}
	torn := []api.NodeReport{{Node: a, Share: 0.5, Open: true, Gone: []protocol.NodeID{c}}, {Node: b, Share: 0.5}}
	apart := []api.NodeReport{{Node: a, Share: 0.5, Open: true}, {Node: b, Share: 0.5, Open: true}}
	less := []api.NodeReport{{Node: a, Share: 0.25, Zone: "smaller"}, {Node: c, Error: api.Dead}}
	mute := []api.NodeReport{{Node: a, Share: 0.5}, {Node: b, Error: "no answer"}}
	watch := &gapWatch{}
	for at, step := range []struct {
		nodes []api.NodeReport
		stays bool
	}{
		{whole, false}, {gap, false}, {gap, false}, {gap, true}, {less, false}, {less, false}, {mute, false}, {less, false},
		{less, false}, {less, true}, {less, true}, {whole, false}, {gap, false}, {torn, false}, {torn, false}, {torn, true},
		{whole, false}, {apart, false}, {apart, false}, {apart, true},
	} {
		assert.Equal(t, step.stays, watch.stays(step.nodes, time.Duration(at)*10*time.Second), at)
	}
}
