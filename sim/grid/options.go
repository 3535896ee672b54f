package grid

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// ErrOptions says that the cores cannot run with the options given.
var ErrOptions = errors.New("options that the cores cannot have")

// Options are the settings of a run: those of the fast engine, and settings that only cores
// support.
type Options struct {
	parallel.Options

	// Placed gives each job to the owner, at the time and with the candidates of
	// parallel.Grid.Place, as the fast engine has it. Otherwise clients submit jobs at entry nodes.
	Placed bool

	// Apart makes an owner represent its jobs itself only if no neighbour does: see package peer.
	Apart bool

	Loss  uint32 // messages that are lost, in a million
	Churn Churn
}

// Churn says how often nodes leave, fail and come back. Times are drawn from exponential
// distributions.
type Churn struct {
	LeaveMicros int64 // mean time until a member leaves; 0: none leaves
	FailMicros  int64 // mean time until a member fails; 0: none fails
	AwayMicros  int64 // mean time until a node that has left or failed is back
}

// on reports whether any node comes or goes.
func (c *Churn) on() bool { return c.LeaveMicros > 0 || c.FailMicros > 0 }

// faulty reports whether something can go wrong, so that nodes must watch each other.
func (o *Options) faulty() bool { return o.Loss > 0 || o.Churn.on() }

const (
	mostLoss   = 200_000                // a million
	leastChurn = 10 * 1_000_000         // a node that goes must first have come
	mostChurn  = 1_000 * 86_400_000_000 // so that sums stay in 64 bits
)

// Validate names an impossible option and its possible values.
func (o *Options) Validate() error {
	if err := o.Options.Validate(); err != nil {
		return errors.Join(ErrOptions, err)
	}
	switch c := &o.Churn; {
	case o.Placed && (o.faulty() || o.Apart):
		return fmt.Errorf("%w: Placed is for a map that does not change, without loss, churn and Apart", ErrOptions)
	case o.Loss > mostLoss:
		return fmt.Errorf("%w: %d of a million messages are lost; use at most %d", ErrOptions, o.Loss, mostLoss)
	case c.on() && (o.Reach == parallel.ReachThree || o.Reach == parallel.ReachFour):
		return fmt.Errorf("%w: reach %s with churn; use direct, both or global", ErrOptions, o.Reach)
	case c.on() && c.AwayMicros < leastChurn:
		return fmt.Errorf("%w: a node is back after %d µs in the mean; use at least %d", ErrOptions, c.AwayMicros, leastChurn)
	case c.LeaveMicros > 0 && c.LeaveMicros < leastChurn, c.FailMicros > 0 && c.FailMicros < leastChurn:
		return fmt.Errorf("%w: a node goes after %d or %d µs in the mean; use 0 or at least %d",
			ErrOptions, c.LeaveMicros, c.FailMicros, leastChurn)
	case max(c.LeaveMicros, c.FailMicros, c.AwayMicros) > mostChurn || min(c.LeaveMicros, c.FailMicros) < 0:
		return fmt.Errorf("%w: a time of churn is negative or longer than %d µs", ErrOptions, int64(mostChurn))
	}
	return nil
}
