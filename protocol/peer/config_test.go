package peer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func TestConfigIsValidated(t *testing.T) {
	s, err := space.New(0, 16, 4)
	require.NoError(t, err)
	right := peer.DefaultConfig(s, 2, 5, 100)
	require.NoError(t, right.Validate())
	require.Equal(t, refine.DefaultConfig(2, 5, 100), right.Refine)
	require.Equal(t, dtm.DefaultConfig(5), right.Tree)
	for _, test := range []struct {
		why    string
		damage func(*peer.Config)
		want   error
	}{
		{"HopLimit is zero", func(c *peer.Config) { c.HopLimit = 0 }, peer.ErrConfig},
		{"SeekLimit must be", func(c *peer.Config) { c.SeekLimit = -1 }, peer.ErrConfig},
		{"SeekLimit must be", func(c *peer.Config) { c.SeekLimit = 4097 }, peer.ErrConfig},
		{"Tasks.Dims must be", func(c *peer.Config) { c.Tasks.Dims = 1 }, peer.ErrConfig},
		{"CandidateLimit must be", func(c *peer.Config) { c.Predicts, c.Refine.CandidateLimit = true, 7 }, peer.ErrConfig},
		{"", func(c *peer.Config) { c.Predicts, c.Tree.Tries = true, 0 }, dtm.ErrConfig},
		{"", func(c *peer.Config) { c.Can.HopLimit = 0 }, can.ErrConfig},
		{"", func(c *peer.Config) { c.Refine.SizeBound = 0 }, refine.ErrConfig},
		{"", func(c *peer.Config) { c.Tasks.JobLimit = 0 }, reptask.ErrConfig},
	} {
		wrong := right
		test.damage(&wrong)
		err := wrong.Validate()
		require.ErrorIs(t, err, test.want)
		require.ErrorContains(t, err, test.why)
		require.True(t, strings.HasPrefix(err.Error(), test.want.Error()), "what is wrong comes before why: %v", err)
	}
}

// Only predicted candidates need room for nodes that are struck off: twice the places of a cluster.
// Errors about the tree come first.
func TestTheRoomForCandidates(t *testing.T) {
	s, err := space.New(0, 16)
	require.NoError(t, err)
	cfg := peer.DefaultConfig(s, 2, 5, 100)
	cfg.Refine.CandidateLimit = 7
	require.NoError(t, cfg.Validate())
	cfg.Predicts, cfg.Refine.CandidateLimit = true, 8
	require.NoError(t, cfg.Validate())
	cfg.Tree.Tries, cfg.Refine.CandidateLimit = 0, 7
	err = cfg.Validate()
	require.ErrorIs(t, err, dtm.ErrConfig)
	require.NotErrorIs(t, err, peer.ErrConfig)
}

// The limits of SeekLimit are possible.
func TestTheLimitsOfASearch(t *testing.T) {
	s, err := space.New(0, 16)
	require.NoError(t, err)
	for _, limit := range []int{0, protocol.MaxItems} {
		cfg := peer.DefaultConfig(s, 2, 5, 100)
		cfg.SeekLimit = limit
		require.NoError(t, cfg.Validate())
	}
}

// Only virtual dimensions are not compared unless the application says so.
func TestVirtualDimensionsAreNotCompared(t *testing.T) {
	for virtual, classes := range []match.Classes{{}, {2: match.Ignored}, {1: match.Ignored, 2: match.Ignored}} {
		s, err := space.New(virtual, 16, 16, 4)
		require.NoError(t, err)
		cfg := peer.DefaultConfig(s, 2, 5, 100)
		require.Equal(t, classes, cfg.Tasks.Classes)
	}
}
