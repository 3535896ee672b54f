package node_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/protocol"
)

// Outputs are kept if at least one custodian has each of them. An output that no custodian has is
// offered again only if that may succeed.
func TestOutputsAreOfferedToAllCustodians(t *testing.T) {
	a, b, c := protocol.NodeID{Address: 1}, protocol.NodeID{Address: 2}, protocol.NodeID{Address: 3}
	decided := func(answers func(o *node.Offer)) (unkept []int, again bool, lacking jobs.Custodians) {
		o := node.NewOffer(2)
		answers(o)
		return o.Decided()
	}
	unkept, _, lacking := decided(func(o *node.Offer) {
		o.Answered(a, true, 0, 1)
		o.Silent(b)
		o.Answered(c, true)
	})
	assert.Empty(t, unkept, "C has both")
	assert.Equal(t, jobs.Custodians{1, 2}, lacking)

	unkept, again, lacking := decided(func(o *node.Offer) {
		o.Answered(a, true, 0)
		o.Answered(b, false, 0, 1)
	})
	assert.Equal(t, []int{0}, unkept)
	assert.True(t, again, "A has no room yet")
	assert.Equal(t, jobs.Custodians{2}, lacking)

	unkept, again, _ = decided(func(o *node.Offer) { o.Answered(a, false, 1) })
	assert.Equal(t, []int{1}, unkept)
	assert.False(t, again, "it has changed, say")

	unkept, again, _ = decided(func(*node.Offer) {})
	assert.Equal(t, []int{0, 1}, unkept, "nobody has answered")
	assert.True(t, again)
}
