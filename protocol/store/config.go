package store

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol/can"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible store configuration")

// Config has the parameters that all nodes of a network share. It never changes while a node runs.
type Config struct {
	CAN can.Config

	RetryMinTicks uint32 // an unanswered operation is retried after a random time
	RetryMaxTicks uint32 // in this range
	ResendTicks   uint32 // between two copies of an unacknowledged handover
	GoneTicks     uint32 // an awaited peer that is silent for so long has failed

	RedirectLimit uint32 // hints that an operation follows in a row before it waits for its retry
	OpLimit       int    // limit on operations of a node's clients at a time
	ItemLimit     int    // limit on items at a node, for puts of new ones
	DecidedLimit  int    // number of decisions remembered, the latest ones
	LeftLimit     int    // number of leavers remembered, the latest ones
	TriedLimit    int    // failed receivers that an operation survives
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
