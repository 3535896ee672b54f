package driver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	pace  = 5 * time.Millisecond
	wants = 10 * driver.Tick // the delay of the timers of the paced cores
)

// paced adds cores of a kind that has a pace.
func paced(l *driver.Loop, count int) (all []driver.CoreID, cores []*instance) {
	for i := range count {
		id := driver.CoreID{Kind: 2, Epoch: uint32(i)}
		all = append(all, id)
		cores = append(cores, driver.Add[[]string, string, protocol.Output[string]](
			l, id, scripted{}, driver.Traits[[]string, string]{
				Self: func([]string) protocol.NodeID { return self },
				Pace: pace,
			}, nil, nil,
		))
	}
	return all, cores
}

// drain takes turns until no input waits.
func drain(t *testing.T, l *driver.Loop, now time.Duration) (next time.Duration, pending bool) {
	for next, pending = turn(t, l, now); pending && next <= now; {
		next, pending = turn(t, l, now)
	}
	return next, pending
}

// TestManyTimersKeepTheirPace demands that the timers of a thousand cores which set them again each
// time fire at the pace of their kind, and that all of them fire.
func TestManyTimersKeepTheirPace(t *testing.T) {
	const lasts = 20 * time.Second
	l, _, _ := newLoop(t)
	all, cores := paced(l, 1000)
	seen := make([]int, len(cores))
	for _, id := range all {
		l.Command(id, set(alarmTimer, uint32(wants/driver.Tick)))
	}
	next, _ := drain(t, l, 0)
	fired := 0
	for now := next; now < lasts; now = next {
		drain(t, l, now)
		for i, c := range cores {
			if s := c.State(); s[len(s)-1] == "timeout 1" {
				fired, seen[i] = fired+1, seen[i]+1
				l.Command(all[i], set(alarmTimer, uint32(wants/driver.Tick)))
			}
		}
		next, _ = drain(t, l, now)
	}
	assert.LessOrEqual(t, fired, int(lasts/pace)+int(wants/pace), "20 in the beginning come at once")
	assert.GreaterOrEqual(t, fired, int(lasts/pace)*9/10)
	assert.NotContains(t, seen, 0)
}

// TestThePaceCountsPendingTimers demands that timers of other kinds of core do not count, nor
// timers that were cancelled, have fired or are gone with their core.
func TestThePaceCountsPendingTimers(t *testing.T) {
	l, _, _ := newLoop(t)
	all, _ := paced(l, 300)
	due := func(id driver.CoreID) time.Duration {
		at, pending := l.Due(id, protocol.Timer{Kind: alarmTimer})
		assert.True(t, pending)
		return at
	}
	again := set(alarmTimer, uint32(wants/driver.Tick))
	for range 3 { // a timer that is set again is pending once
		for _, id := range all {
			l.Command(id, again)
		}
	}
	l.Command(id, again)
	drain(t, l, 0)
	assert.Equal(t, 300*pace, due(all[299]))
	assert.Equal(t, wants, due(id))

	over := protocol.Output[string]{Cancel: []protocol.Timer{{Kind: alarmTimer}}}
	for _, id := range all[:100] {
		l.Command(id, over)
		l.Command(id, over)
	}
	drain(t, l, 0)
	for _, id := range all[100:200] {
		l.Remove(id)
	}
	l.Command(all[0], again)
	drain(t, l, 0)
	assert.Equal(t, 100*pace, due(all[0]))

	drain(t, l, time.Minute)
	l.Command(all[0], again)
	drain(t, l, time.Minute)
	assert.Equal(t, time.Minute+wants, due(all[0]))
}
