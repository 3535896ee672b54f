package store

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol/can"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible store configuration")

// Config is what all nodes of one network agree on. It never changes while a node runs.
type Config struct {
	CAN can.Config

	RetryMinTicks uint32 // an unanswered operation is retried after a random time
	RetryMaxTicks uint32 // in this range
	ResendTicks   uint32 // between two copies of an unacknowledged handover
	GoneTicks     uint32 // an awaited peer that is silent for so long has failed

	RedirectLimit uint32 // an operation follows so many hints in a row, then waits for its retry
	OpLimit       int    // a node has at most so many operations of its own clients at a time
	ItemLimit     int    // a node with so many items accepts no put of a new one
	DecidedLimit  int    // so many decisions are remembered, the latest ones
	LeftLimit     int    // so many leavers are remembered, the latest ones
	TriedLimit    int    // an operation survives so many failed receivers
}

// DefaultConfig returns a configuration on the given map with times in units of 10 ms.
func DefaultConfig(c can.Config) Config {
	return Config{
		CAN: c, RetryMinTicks: 200, RetryMaxTicks: 400, ResendTicks: 100, GoneTicks: 1000,
		RedirectLimit: 64, OpLimit: 64, ItemLimit: 1024, DecidedLimit: 1024, LeftLimit: 64, TriedLimit: 4,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.RetryMinTicks == 0 || c.RetryMinTicks > c.RetryMaxTicks:
		return errors.Join(ErrConfig, errors.New("RetryMinTicks must be from 1 to RetryMaxTicks"))
	case c.ResendTicks == 0 || c.GoneTicks == 0:
		return errors.Join(ErrConfig, errors.New("a duration is zero"))
	case c.OpLimit < 1 || c.ItemLimit < 1:
		return errors.Join(ErrConfig, errors.New("OpLimit or ItemLimit is zero: nothing could be stored"))
	case c.DecidedLimit < 1 || c.LeftLimit < 1 || c.TriedLimit < 1:
		const twice = "DecidedLimit, LeftLimit or TriedLimit is zero: a duplicated request could be executed twice"
		return errors.Join(ErrConfig, errors.New(twice))
	}
	return c.CAN.Validate()
}
