package observe_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/protocol"
)

const patience = 250 * time.Millisecond

// guarded is a watchdog in virtual time.
type guarded struct {
	*observe.Watchdog
	began   time.Time
	stood   atomic.Int64 // how long the process was stopped
	stopped chan struct{}
	hungAt  atomic.Int64 // 0: it has not said that the life hangs
}

func newGuarded() *guarded {
	g := &guarded{began: time.Now(), stopped: make(chan struct{})}
	g.Watchdog = observe.NewWatchdog(g.now, patience, func(string) { g.hungAt.Store(int64(g.now())) })
	go g.Watch(g.stopped)
	return g
}

func (g *guarded) now() time.Duration { return time.Since(g.began) + time.Duration(g.stood.Load()) }

// pass lets time pass, at the end of which the watchdog has not noticed anything.
func (g *guarded) pass(t *testing.T, d time.Duration) {
	t.Helper()
	time.Sleep(d)
	synctest.Wait()
	require.Zero(t, g.hungAt.Load())
}

// stand stops the process: its clock goes on.
func (g *guarded) stand(d time.Duration) { g.stood.Add(int64(d)) }

func TestTheWatchdogEndsALifeWithinItsKillBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded()
		g.pass(t, time.Minute) // it waits for its first lease
		for range 100 {
			g.Extend(g.now() + time.Minute)
			g.pass(t, time.Minute-1) // the loop does not turn, and the lease holds
		}
		over := g.now() + 1
		g.pass(t, patience)
		time.Sleep(time.Minute)
		assert.LessOrEqual(t, time.Duration(g.hungAt.Load()), over+2*patience)
		assert.NotZero(t, g.hungAt.Load())
	})
}

// A daemon that was stopped and finds its lease over when it goes on ends by itself.
func TestTheWatchdogLeavesADaemonThatWasStoppedTheTimeToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGuarded()
		g.Extend(4 * time.Second)
		g.pass(t, time.Second)
		g.stand(2 * time.Second) // the lease still holds
		g.pass(t, patience)
		g.Extend(5 * time.Second)
		g.pass(t, patience)
		g.stand(time.Hour)
		g.pass(t, patience+patience/2)
		close(g.stopped)
		g.pass(t, time.Minute)
	})
}

func TestSlowStepsAreLoggedNowAndThen(t *testing.T) {
	var log bytes.Buffer
	now := time.Hour
	timed := observe.Timed(slog.New(slog.NewTextHandler(&log, nil)), func() time.Duration { return now })
	step := func(took time.Duration) { timed(protocol.Deliver, func() { now += took }) }
	step(20 * time.Millisecond)
	assert.Empty(t, log.String())
	for range 100 {
		step(30 * time.Millisecond)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "\n"))
	assert.Contains(t, log.String(), `msg="a step took long" core=lease input=deliver took=30ms skipped=0`)
	log.Reset()
	step(10 * time.Second)
	assert.Contains(t, log.String(), "took=10s skipped=99")
}
