package can

import (
	"errors"
	"strings"

	"github.com/canvass-grid/canvass/protocol/space"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible configuration of the published protocol")

// Readings selects interpretations of the text where two are plausible. The zero value takes the
// algorithms literally, and prose where it says more. Each field selects the other interpretation
// of one passage, which the package comment quotes.
type Readings struct {
	CurrentNeighbourhood bool // N_L in Algorithms 6-8 is the neighbourhood at the moment, not at the request
	InstancePerChange    bool // the instance number also grows whenever a command changes the zone
	ExceptProposer       bool // "any Q" in Algorithm 5, line 1, leaves out the proposer L itself
	CancelClears         bool // cancel(γ) also clears node_L[L].γ
	AloneCommits         bool // "when all neighbors have responded": at once if there are none
}

// String names the interpretations that differ from the zero value: "letter", "current+clears".
func (r Readings) String() string {
	var names []string
	for _, c := range [...]struct {
		set  bool
		name string
	}{
		{r.CurrentNeighbourhood, "current"}, {r.InstancePerChange, "perchange"},
		{r.ExceptProposer, "except"}, {r.CancelClears, "clears"}, {r.AloneCommits, "alone"},
	} {
		if c.set {
			names = append(names, c.name)
		}
	}
	if names == nil {
		return "letter"
	}
	return strings.Join(names, "+")
}

// EveryReading returns all combinations, the letter first.
func EveryReading() []Readings {
	var all []Readings
	for bits := range 1 << 5 {
		all = append(all, Readings{
			CurrentNeighbourhood: bits&1 != 0,
			InstancePerChange:    bits&2 != 0,
			ExceptProposer:       bits&4 != 0,
			CancelClears:         bits&8 != 0,
			AloneCommits:         bits&16 != 0,
		})
	}
	return all
}

// Config has the parameters that all nodes of a network share. It never changes while a node runs.
type Config struct {
	Space    space.Space
	Readings Readings

	// InstanceNumbers turns section 6.1 on: information with an older instance number is discarded,
	// and records of the departed keep zombies out. Without it, the last message wins.
	InstanceNumbers bool

	// NoDetection turns section 6.2 off: a request is executed at once, and updates report it. The
	// conflicts that the section describes are seen only so.
	NoDetection bool

	UpdateTicks   uint32 // between two updates to the direct neighbours
	MissedUpdates uint32 // missing updates in a row until a peer counts as failed
	ProposeTicks  uint32 // how long a proposer waits for each answer
	RetryMinTicks uint32 // a request that was rejected or cancelled is retried after a time drawn
	RetryMaxTicks uint32 // from this range

	HopLimit      uint32 // hops after which a join request is dropped
	DepartedLimit int    // number of departed nodes remembered; the oldest is forgotten first
}

// DefaultConfig returns a configuration for the given space, with no reading chosen, with section
// 6.1 on and times in units of 10 ms.
func DefaultConfig(s space.Space) Config {
	return Config{
		Space: s, InstanceNumbers: true, UpdateTicks: 100, MissedUpdates: 4, ProposeTicks: 200,
		RetryMinTicks: 100, RetryMaxTicks: 1000, HopLimit: 255, DepartedLimit: 64,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.Space.Dims < 1:
		return errors.Join(ErrConfig, errors.New("no space: make one with space.New"))
	case c.UpdateTicks == 0 || c.MissedUpdates == 0 || c.ProposeTicks == 0:
		return errors.Join(ErrConfig, errors.New("a duration is zero"))
	case c.RetryMinTicks == 0 || c.RetryMinTicks > c.RetryMaxTicks:
		return errors.Join(ErrConfig, errors.New("RetryMinTicks must be from 1 to RetryMaxTicks"))
	case c.HopLimit == 0:
		return errors.Join(ErrConfig, errors.New("HopLimit is zero: nobody could join"))
	case c.DepartedLimit < 1:
		return errors.Join(ErrConfig, errors.New("DepartedLimit is zero: turn InstanceNumbers off instead"))
	}
	return nil
}
