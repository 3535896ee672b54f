package lease

import (
	"errors"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible lease configuration")

// Config has the parameters that all nodes share. It never changes while a node runs.
type Config struct {
	Witnesses []protocol.Address // sorted; 1, 3 or 5

	RenewTicks  uint32 // from a majority of grants to the next round
	ResendTicks uint32 // between two copies of an unanswered message; a node without a lease waits up to three times that
	ExpireTicks uint32 // holder: from the first Renew of a round to the end of its grant
	GrantTicks  uint32 // witness: from the receipt of a Renew to the end of its grant
	GraceTicks  uint32 // witness: after a restart, it neither condemns nor promises anything for this time; see Behind
	AskTicks    uint32 // between two copies of an unanswered question
	KillTicks   uint32 // the driver needs at most this long to end the incarnation after EventFenced
	DriftPPM    uint32 // largest error of a clock, in parts in a million

	Nonces       uint32 // number of nonces, of which an incarnation draws one
	AddressLimit int    // limit on the addresses at a witness
	AskLimit     int    // limit on open questions of a node
	DeadLimit    int    // limit on the death certificates that a node remembers
}

// DefaultConfig returns a configuration with times in units of 10 ms: a grant lasts 4 s, the clocks
// differ by 0.1 %, and half a second is left to end an incarnation.
func DefaultConfig(witnesses ...protocol.Address) Config {
	return Config{
		Witnesses: slices.Sorted(slices.Values(witnesses)), RenewTicks: 100, ResendTicks: 25, ExpireTicks: 349,
		GrantTicks: 401, GraceTicks: 401, AskTicks: 25, KillTicks: 50, DriftPPM: 1000, Nonces: 1<<32 - 1,
		AddressLimit: protocol.MaxItems, AskLimit: 64, DeadLimit: 64,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch n := len(c.Witnesses); {
	case n != 1 && n != 3 && n != 5:
		return wrong("there must be 1, 3 or 5 witnesses")
	case !slices.IsSorted(c.Witnesses) || len(slices.Compact(slices.Clone(c.Witnesses))) < n:
		return wrong("the witnesses are not sorted, or one occurs twice")
	case c.RenewTicks == 0 || c.ResendTicks == 0 || c.AskTicks == 0:
		return wrong("RenewTicks, ResendTicks and AskTicks must be positive")
	case c.DriftPPM >= million:
		return wrong("DriftPPM must be below a million")
	case c.Nonces == 0:
		return wrong("Nonces is zero")
	}
	for _, limit := range []int{c.AddressLimit, c.AskLimit, c.DeadLimit} {
		if limit < 1 || limit > protocol.MaxItems {
			return wrong("AddressLimit, AskLimit and DeadLimit must be from 1 to protocol.MaxItems")
		}
	}
	drift, expire := uint64(c.DriftPPM), uint64(c.ExpireTicks)
	switch {
	case uint64(c.RenewTicks)+uint64(c.ResendTicks) >= expire:
		return wrong("ExpireTicks must exceed RenewTicks and ResendTicks together")
	case (expire+uint64(c.KillTicks))*(million+drift) > uint64(c.GrantTicks)*(million-drift):
		return wrong("ExpireTicks and KillTicks by the clock of a holder may exceed GrantTicks by that of a witness")
	case c.GraceTicks < c.GrantTicks:
		return wrong("GraceTicks must be at least GrantTicks")
	}
	return nil
}

const million = 1_000_000

func wrong(what string) error { return errors.Join(ErrConfig, errors.New(what)) }

// majority is the least number of witnesses of which any two groups have one in common.
func (c *Config) majority() int { return len(c.Witnesses)/2 + 1 }

// witness returns the index of a witness, or -1.
func (c *Config) witness(address protocol.Address) int { return slices.Index(c.Witnesses, address) }
