package muster

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible muster configuration")

// PortLimit bounds the ports that a host announces.
const PortLimit = 16

// Config has the parameters that all nodes share. It never changes while a node runs.
type Config struct {
	ResendTicks uint32 // between two copies of an unanswered message
	HostLimit   int    // limit on the hosts of an attempt
}

// DefaultConfig returns a configuration with times in units of 10 ms.
func DefaultConfig() Config { return Config{ResendTicks: 100, HostLimit: protocol.MaxItems} }

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.ResendTicks == 0:
		return errors.Join(ErrConfig, errors.New("ResendTicks is zero"))
	case c.HostLimit < 1 || c.HostLimit > protocol.MaxItems:
		return errors.Join(ErrConfig, errors.New("HostLimit must be from 1 to protocol.MaxItems"))
	}
	return nil
}
