package reptask

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible configuration of representative tasks")

// Config has the parameters that all nodes of a grid share. It never changes while a node runs.
type Config struct {
	Dims    int           // of coordinates and requirements
	Machine int           // the first ones, which describe a node; the others its cluster, such as the size
	Classes match.Classes // how they are compared

	StrictMinimum bool // of sites and nodes, one is smaller only if it is so in all dimensions, as published
	KthPosition   bool // QB compares the k-th best queue position of a job, not the average over all dependents
	MoveEach      bool // a job may move once by each algorithm, not once in all

	ResendTicks  uint32 // between two repetitions of an unanswered message
	BeatTicks    uint32 // between two signs of life
	LeaseTicks   uint32 // a peer that was silent for so long is suspected
	RegrantTicks uint32 // a peer that received nothing from a node for so long holds nothing of it
	Report       bool   // signs of life carry queue positions, for queue balancing

	TaskLimit  int // the most dependent tasks at a node
	RoleLimit  int // the most representative tasks at a node
	JobLimit   int // the most jobs that a node owns, remembered ended ones included
	FloorLimit int // the most jobs of which a node remembers which attempts are over
}

// DefaultConfig returns a configuration without coordinates, with times in units of 10 ms.
func DefaultConfig() Config {
	return Config{
		ResendTicks: 100, BeatTicks: 100, LeaseTicks: 500, RegrantTicks: 1200,
		TaskLimit: 256, RoleLimit: 64, JobLimit: 256, FloorLimit: 1024,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.Dims > space.MaxDimensions || c.Machine < 0 || c.Machine > c.Dims:
		return errors.Join(ErrConfig, errors.New("Dims must be from 0 to space.MaxDimensions, Machine from 0 to Dims"))
	case !c.Classes.Valid():
		return errors.Join(ErrConfig, errors.New("a dimension has no class: use match.AtLeast, match.Equal or match.Ignored"))
	case c.ResendTicks == 0 || c.BeatTicks == 0:
		return errors.Join(ErrConfig, errors.New("a duration is zero"))
	case c.LeaseTicks < 2*max(c.BeatTicks, c.ResendTicks):
		return errors.Join(
			ErrConfig,
			errors.New("LeaseTicks must be at least twice BeatTicks and ResendTicks: one lost sign of life is no failure"),
		)
	case c.RegrantTicks <= 2*c.LeaseTicks:
		return errors.Join(
			ErrConfig,
			errors.New("RegrantTicks must be more than twice LeaseTicks: "+
				"the leases of a representative and of its hosts run out one after the other"),
		)
	case c.TaskLimit < 1 || c.RoleLimit < 1 || c.JobLimit < 1 || c.FloorLimit < 1:
		return errors.Join(ErrConfig, errors.New("a limit is zero"))
	}
	return nil
}
