package can_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// The identities of the first lives at the first addresses.
var (
	nodeA = protocol.NodeID{Address: 0, Incarnation: 1}
	nodeB = protocol.NodeID{Address: 1, Incarnation: 1}
)

func TestConfigValidate(t *testing.T) {
	s, err := space.New(1, 8, 8)
	require.NoError(t, err)
	tests := []struct {
		name   string
		change func(*can.Config)
		ok     bool
	}{
		{"the default", func(*can.Config) {}, true},
		{"no space", func(c *can.Config) { c.Space = space.Space{} }, false},
		{"no updates", func(c *can.Config) { c.UpdateTicks = 0 }, false},
		{"failed at once", func(c *can.Config) { c.MissedUpdates = 0 }, false},
		{"no time to answer", func(c *can.Config) { c.ProposeTicks = 0 }, false},
		{"resent without a pause", func(c *can.Config) { c.ResendTicks = 0 }, false},
		{"retried without a pause", func(c *can.Config) { c.RetryMinTicks = 0 }, false},
		{"an empty range", func(c *can.Config) { c.RetryMinTicks, c.RetryMaxTicks = 9, 8 }, false},
		{"a range of one", func(c *can.Config) { c.RetryMinTicks, c.RetryMaxTicks = 9, 9 }, true},
		{"no hops", func(c *can.Config) { c.HopLimit = 0 }, false},
		{"one hop", func(c *can.Config) { c.HopLimit = 1 }, true},
		{"no memory of the dead", func(c *can.Config) { c.DeadLimit = 0 }, false},
		{"less than none", func(c *can.Config) { c.DeadLimit = -1 }, false},
		{"one dead", func(c *can.Config) { c.DeadLimit = 1 }, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := can.DefaultConfig(s)
			test.change(&c)
			if test.ok {
				assert.NoError(t, c.Validate())
			} else {
				assert.ErrorIs(t, c.Validate(), can.ErrConfig)
			}
		})
	}
}
