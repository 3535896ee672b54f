package grid

import (
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/scheduler/parallel"
	"github.com/canvass-grid/canvass/sim/load"
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
	Churn load.Churn
}

// faulty reports whether something can go wrong, so that nodes must watch each other.
func (o *Options) faulty() bool { return o.Loss > 0 || o.Churn.IsOn() }

const mostLoss = 200_000 // a million

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
	case c.IsOn() && (o.Reach == parallel.ReachThree || o.Reach == parallel.ReachFour):
		return fmt.Errorf("%w: reach %s with churn; use direct, both or global", ErrOptions, o.Reach)
	}
	if err := o.Churn.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}
