package refine

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible configuration of the refinement")

// Criterion is how a client sorts its suitors (section 5.1.1).
type Criterion uint8

// The sorting criteria.
const (
	FirstCome   Criterion = iota // in the order of arrival
	GlobalOrder                  // by the consistent hash of the head
	Greedy                       // by ceiling, then accepted solicitations, then hash
)

// Config has the parameters that all nodes of a network share. It never changes while a node runs.
type Config struct {
	MembershipBound int // M: the most clusters of a node, its own included
	SizeBound       int // N: the most members of a cluster, its head included
	DiameterMicros  uint32
	Criterion       Criterion

	CollectTicks uint32 // a head solicits after so long without a new candidate
	WaitTicks    uint32 // a client answers after so long without a new suitor
	MeasureTicks uint32 // a node that could not be measured in this time counts as far
	KeepTicks    uint32 // between two signs of life, which resend what may be lost
	MissedKeeps  uint32 // missing in a row until the peer is suspected
	RetryTicks   uint32 // before a head asks again a client that deferred

	CandidateLimit int // more candidates are ignored
}

// DefaultConfig returns a configuration with times in units of 10 ms.
func DefaultConfig(membershipBound, sizeBound int, diameterMicros uint32) Config {
	return Config{
		MembershipBound: membershipBound, SizeBound: sizeBound, DiameterMicros: diameterMicros, Criterion: Greedy,
		CollectTicks: 3000, WaitTicks: 500, MeasureTicks: 1000, KeepTicks: 100, MissedKeeps: 4, RetryTicks: 3000,
		CandidateLimit: 4 * sizeBound,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.MembershipBound < 1 || c.MembershipBound > protocol.MaxItems:
		return errors.Join(
			ErrConfig,
			errors.New("MembershipBound must be from 1, since a node belongs to its own cluster, to protocol.MaxItems"),
		)
	case c.SizeBound < 1:
		return errors.Join(ErrConfig, errors.New("SizeBound is below 1: a cluster has its head"))
	case c.DiameterMicros == 0 || c.DiameterMicros == Far:
		return errors.Join(ErrConfig, errors.New("DiameterMicros must lie between 0 and Far"))
	case c.Criterion > Greedy:
		return errors.Join(ErrConfig, errors.New("no such Criterion"))
	case min(c.CollectTicks, c.WaitTicks, c.MeasureTicks, c.KeepTicks, c.MissedKeeps, c.RetryTicks) == 0:
		return errors.Join(ErrConfig, errors.New("a duration is zero"))
	case c.CandidateLimit < 1 || c.CandidateLimit >= protocol.MaxItems:
		return errors.Join(ErrConfig, errors.New("CandidateLimit must be from 1 to protocol.MaxItems-1"))
	}
	return nil
}
