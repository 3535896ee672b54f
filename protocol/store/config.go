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

	RetryMinTicks uint32 // an operation without an answer is pursued again after a time drawn
	RetryMaxTicks uint32 // from this range
	ResendTicks   uint32 // between two repetitions of a handover that was not acknowledged
	GoneTicks     uint32 // a peer that is waited for and says nothing for so long has failed

	RedirectLimit uint32 // an operation follows so many hints in a row, then waits for its retry
	OpLimit       int    // so many operations of its own clients does a node pursue at a time
	ItemLimit     int    // puts make a node hold at most so many items
	DecidedLimit  int    // so many decided requests are remembered; the oldest is forgotten first
	LeftLimit     int    // so many nodes that left in good order are remembered; likewise
	TriedLimit    int    // an operation outlives so many nodes that it was sent to
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
		return errors.Join(
			ErrConfig,
			errors.New("DecidedLimit, LeftLimit or TriedLimit is zero: a repeated request could be executed twice"),
		)
	}
	return c.CAN.Validate()
}
