package peer

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible configuration of a peer")

// Config has the parameters that all nodes of a grid share. It never changes while a node runs.
type Config struct {
	Can    can.Config
	Refine refine.Config
	Tasks  reptask.Config

	HopLimit uint32 // hops after which a job is dropped

	// SeekLimit is how many nodes a complete search visits for one job. With 0 a job ends that
	// neither the owner of its requirement nor one of its neighbours can run.
	SeekLimit int

	// Apart makes an owner represent its jobs itself only if no neighbour does. Then one of the two
	// nodes survives a crash of the other.
	Apart bool

	// Predicts says that nodes predict which nodes are near, in a tree with the configuration Tree.
	// Otherwise the application does, and Tree has no meaning.
	Predicts bool
	Tree     dtm.Config
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.HopLimit == 0:
		return errors.Join(ErrConfig, errors.New("HopLimit is zero: no job would find its owner"))
	case c.Tasks.Dims != c.Can.Space.Dims:
		why := errors.New("Tasks.Dims must be the dimensions of Can.Space: requirements are points of it")
		return errors.Join(ErrConfig, why)
	case c.SeekLimit < 0 || c.SeekLimit > protocol.MaxItems:
		return errors.Join(ErrConfig, errors.New("SeekLimit must be 0 to 4096: a search is one message"))
	}
	var tree error
	if c.Predicts {
		tree = c.Tree.Validate()
		if tree == nil && c.Refine.CandidateLimit < 2*(c.Refine.SizeBound-1) {
			why := errors.New("Refine.CandidateLimit must be at least twice as large as a cluster without its head: " +
				"members that are struck off stay until the next round")
			tree = errors.Join(ErrConfig, why)
		}
	}
	return errors.Join(c.Can.Validate(), c.Refine.Validate(), c.Tasks.Validate(), tree)
}

// DefaultConfig returns a configuration for the given space, bounds of clusters and diameter, with
// times in units of 10 ms. The application predicts.
func DefaultConfig(s space.Space, membershipBound, sizeBound int, diameterMicros uint32) Config {
	c := Config{
		Can: can.DefaultConfig(s), Refine: refine.DefaultConfig(membershipBound, sizeBound, diameterMicros),
		Tasks: reptask.DefaultConfig(), HopLimit: 255, SeekLimit: 256,
		Tree: dtm.DefaultConfig(sizeBound),
	}
	c.Tasks.Dims = s.Dims
	for k := s.Dims - s.Virtual; k < s.Dims; k++ {
		c.Tasks.Classes[k] = match.Ignored
	}
	return c
}
