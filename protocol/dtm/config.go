package dtm

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible configuration of the prediction tree")

// Config has the parameters that all nodes of a network share. It never changes while a node runs.
type Config struct {
	Manner Manner // how a host looks for its place

	AnswerTicks uint32 // a host that does not answer a joining host in this time is asked again
	RetryTicks  uint32 // before a refused attachment or leave is tried again: so long, to twice as long
	KeepTicks   uint32 // between two signs of life, which resend what may be lost
	MissedKeeps uint32 // missing in a row until the peer is suspected
	HealTicks   uint32 // an anchor keeps the place of a failed child for so long, for the heir to claim it

	Tries          int // number of requests to a host for its view until it counts as lost
	Refusals       int // number of refusals after which a search is given up
	ChildLimit     int // limit on the children of a host
	AggregateLimit int // limit on near hosts reported to each neighbour in the tree; 0: no aggregation
}

// DefaultConfig returns a configuration with times in units of 10 ms. About twice as many hosts are
// aggregated as a cluster may have members.
func DefaultConfig(clusterSize int) Config {
	return Config{
		AnswerTicks: 200, RetryTicks: 200, KeepTicks: 100, MissedKeeps: 4, HealTicks: 3000,
		Tries: 3, Refusals: 64, ChildLimit: 1024, AggregateLimit: 2 * clusterSize,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.Manner > Walk:
		return errors.Join(ErrConfig, errors.New("no such Manner"))
	case min(c.AnswerTicks, c.RetryTicks, c.KeepTicks, c.MissedKeeps, c.HealTicks) == 0:
		return errors.Join(ErrConfig, errors.New("a duration is zero"))
	case c.Tries < 1 || c.Tries > 1<<8 || c.Refusals < 1 || c.Refusals > 1<<16:
		return errors.Join(ErrConfig, errors.New("Tries must be from 1 to 2^8, Refusals from 1 to 2^16"))
	case c.ChildLimit < 1 || c.ChildLimit >= protocol.MaxItems:
		return errors.Join(ErrConfig, errors.New("ChildLimit must be from 1 to protocol.MaxItems-1"))
	case c.AggregateLimit < 0 || c.AggregateLimit >= protocol.MaxItems:
		return errors.Join(ErrConfig, errors.New("AggregateLimit must be from 0 to protocol.MaxItems-1"))
	}
	return nil
}
