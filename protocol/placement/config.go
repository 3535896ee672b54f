package placement

import (
	"errors"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrConfig is wrapped by every error about an impossible configuration.
var ErrConfig = errors.New("impossible placement configuration")

// JobMost bounds JobLimit.
const JobMost = 1 << 20

// restMost bounds RestMax, so that doubling a pause does not overflow.
const restMost = 1 << 30

// Config does not change while a node runs.
type Config struct {
	TurnsLeast    uint32 // turns of a node; CommandTurns can only raise them
	PatienceTicks uint32 // a submission without an owner counts as lost after this time
	AskTicks      uint32 // between two questions to an owner
	BackOffMin    uint32 // ticks; doubled after each search in vain
	BackOffMax    uint32 // ticks
	RestMax       uint32 // ticks; the longest pause that a job may ask for
	JobLimit      int
}

// DefaultConfig returns a configuration with times in units of 10 ms.
func DefaultConfig() Config {
	return Config{
		TurnsLeast: 32, PatienceTicks: 500, AskTicks: 500, BackOffMin: 20, BackOffMax: 500, RestMax: restMost,
		JobLimit: 1 << 16,
	}
}

// Validate reports what is impossible about the configuration.
func (c *Config) Validate() error {
	switch {
	case c.TurnsLeast == 0:
		return errors.Join(ErrConfig, errors.New("TurnsLeast is zero: no job would have a turn"))
	case c.PatienceTicks == 0 || c.AskTicks == 0:
		return errors.Join(ErrConfig, errors.New("PatienceTicks or AskTicks is zero"))
	case c.BackOffMin == 0 || c.BackOffMin > c.BackOffMax || c.BackOffMax > c.RestMax || c.RestMax > restMost:
		return errors.Join(ErrConfig, errors.New("want 1 <= BackOffMin <= BackOffMax <= RestMax <= 2^30"))
	case c.JobLimit < 1 || c.JobLimit > JobMost:
		return errors.Join(ErrConfig, errors.New("JobLimit must be from 1 to JobMost"))
	}
	return nil
}

// backOff returns the pause of a job after a number of searches in vain.
func (c *Config) backOff(searches uint8) uint32 {
	ticks := c.BackOffMin
	for ; searches > 1 && ticks < c.BackOffMax; searches-- {
		ticks *= 2
	}
	return min(ticks, c.BackOffMax)
}

// duration returns the time of a timer of a job.
func (c *Config) duration(j *Job, t protocol.Timer) protocol.SetTimer {
	ticks := c.AskTicks
	switch t.Kind {
	case RestTimer:
		ticks = j.Rest
	case PatienceTimer:
		ticks = c.PatienceTicks
	}
	return protocol.SetTimer{Timer: t, MinTicks: ticks, MaxTicks: ticks}
}
