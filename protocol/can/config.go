package can

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol/space"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible CAN configuration")

// Config has the parameters that all nodes of a network share. It never changes while a node runs.
type Config struct {
	Space space.Space

	UpdateTicks   uint32 // between two updates to the direct neighbours
	MissedUpdates uint32 // missing updates in a row until a peer counts as failed
	ProposeTicks  uint32 // how long a proposer waits for answers
	ResendTicks   uint32 // between two copies of an unacknowledged message
	RetryMinTicks uint32 // a refused request is retried after a random time
	RetryMaxTicks uint32 // in this range

	HopLimit  uint32 // hops after which a join request is dropped
	DeadLimit int    // number of departed nodes remembered, the latest ones
}

// DefaultConfig returns a configuration for the given space with times in units of 10 ms.
func DefaultConfig(s space.Space) Config {
	return Config{
		Space: s, UpdateTicks: 100, MissedUpdates: 4, ProposeTicks: 200, ResendTicks: 100,
		RetryMinTicks: 100, RetryMaxTicks: 1000, HopLimit: 255, DeadLimit: 64,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.Space.Dims < 1:
		return errors.Join(ErrConfig, errors.New("no space: make one with space.New"))
	case c.UpdateTicks == 0 || c.MissedUpdates == 0 || c.ProposeTicks == 0 || c.ResendTicks == 0:
		return errors.Join(ErrConfig, errors.New("a duration is zero"))
	case c.RetryMinTicks == 0 || c.RetryMinTicks > c.RetryMaxTicks:
		return errors.Join(ErrConfig, errors.New("RetryMinTicks must be from 1 to RetryMaxTicks"))
	case c.HopLimit == 0:
		return errors.Join(ErrConfig, errors.New("HopLimit is zero: no node could join"))
	case c.DeadLimit < 1:
		return errors.Join(ErrConfig, errors.New("DeadLimit is zero: dead nodes could return"))
	}
	return nil
}
