package daemon

import (
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// turnLimit is how many turns a daemon takes at most at one time.
const turnLimit = 10_000

// turnTimer is the one timer of a daemon: it wants to be called again.
const turnTimer protocol.TimerKind = 1

// errEnded says that an incarnation has come to its end.
var errEnded = errors.New("ended")

// machine is the machine of a node: the state that outlives its daemon, and the running
// incarnation.
type machine struct {
	world   *world
	address protocol.Address
	chance  *sim.Chance
	boot    time.Duration // reading of its clock when the run begins
	rate    int64         // error of its clock, in parts per million
	ahead   int64         // of its time of day, in microseconds
	disk    *store
	kept    *contents
	cache   *contents
	work    map[string]work // by attempt
	spoil   int             // how the next task is that leaves files here: see waysToSpoil
	lost    bool            // with its disk, for good
	lives   []uint16        // that have begun

	node     *node.Stepped // nil: no incarnation runs
	links    *links
	beside   *beside
	began    int64 // when this incarnation did
	deadline int64 // of the processes, in virtual time
	alarms   calendar.Heap[func()]
	lastSet  uint64
	inbox    []func() // queued work of the incarnation
	paused   int64    // until then the daemon is stopped
	full     int64    // until then no task can be started
	stepping bool
	told     uint64 // cursor of the events that the trace has
	out      output
	why      string // why the last incarnation has ended
}

type output = protocol.Output[frame]

// clock is a reading of the machine's clock.
func (m *machine) clock() time.Duration {
	return m.reading(m.world.now())
}

func (m *machine) reading(at int64) time.Duration {
	return m.boot + time.Duration(at+at*m.rate/million)*time.Microsecond
}

// virtual is the first time at which the machine's clock shows a reading, or more.
func (m *machine) virtual(reading time.Duration) int64 {
	at := max(0, reading-m.boot).Microseconds() * million / (million + m.rate)
	for m.reading(at) < reading {
		at++
	}
	return at
}

// begin begins an incarnation, or continues to fail to.
func (m *machine) begin() {
	m.world.endAll(m, 0) // remains of an earlier incarnation
	m.alarms, m.inbox, m.deadline, m.paused = nil, nil, 0, 0
	m.work, m.beside = map[string]work{}, newBeside(m)
	id := &identity.Identity{Grid: "sim", Address: m.address}
	life, err := node.Step(m.world.config(m.address), id, life.Machine{
		Clock: m.clock, Wall: func() time.Time { return time.UnixMicro(m.world.now() + m.ahead).UTC() },
		After:   func(d time.Duration, f func()) { m.after(d.Microseconds(), f) },
		Between: func(low, high uint32) uint32 { return uint32(m.chance.Between(int64(low), int64(high))) },
		JobID:   m.jobID, Store: m.disk, Host: &virtualHost{m: m},
		Kept: m.kept, Cache: m.cache, Go: m.beside.start, Await: m.beside.await,
		Connect: func(self protocol.NodeID) (life.Links, error) {
			m.links, m.lives = newLinks(m, self), append(m.lives, self.Incarnation)
			return m.links, nil
		},
	})
	if err != nil {
		m.end(seat(m.address), err)
		return
	}
	m.node, m.told, m.began = life, 0, m.world.now()
}

// jobID draws the id of a job.
func (m *machine) jobID() string {
	id := make([]byte, 13)
	for i := range id {
		id[i] = "abcdefghijklmnopqrstuvwxyz234567"[m.chance.Below(32)]
	}
	return string(id)
}

// post gives the daemon something to do. It does it in a separate step.
func (m *machine) post(f func()) {
	m.inbox = append(m.inbox, f)
	m.world.wake(m)
}

// send gives a frame to the network.
func (m *machine) send(f frame) {
	m.out.Send = append(m.out.Send, protocol.Envelope[frame]{From: seat(m.address), To: seat(f.To.Address), Message: f})
}

// seat is the simulation's name of a node, for all its incarnations.
func seat(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }

// run lets the daemon do all that it can do now.
func (m *machine) run() {
	for range turnLimit {
		if m.node == nil {
			return
		}
		if m.paused > m.world.now() {
			m.set(m.paused)
			return
		}
		m.due()
		next, ok, err := m.node.Turn()
		if err == nil && m.node.Left() {
			err = errEnded
		}
		m.world.watch(m)
		if err == nil && m.beside.resume() {
			continue
		}
		if err != nil {
			m.end(m.node.Self(), err)
			return
		}
		at := m.virtual(next)
		if first := m.alarms.NextAt(); first < calendar.Never && (!ok || first < at) {
			ok, at = true, first
		}
		if len(m.inbox) == 0 && (!ok || at > m.world.now()) {
			if ok {
				m.set(at)
			}
			return
		}
	}
	m.world.oracle.Violate("StaysUp", "node %v never rests", m.node.Self())
}

// set has the daemon called at a time.
func (m *machine) set(at int64) {
	ticks := uint32(min(max(1, at-m.world.now()), 1<<32-1))
	timer := protocol.Timer{Kind: turnTimer}
	m.out.Set = []protocol.SetTimer{{Timer: timer, MinTicks: ticks, MaxTicks: ticks}}
}

// due runs the work in the inbox and the due timers.
func (m *machine) due() {
	for len(m.inbox) > 0 {
		f := m.inbox[0]
		m.inbox = m.inbox[1:]
		m.node.Do(f)
	}
	for m.alarms.NextAt() <= m.world.now() {
		m.node.Do(m.alarms.Pop().Value)
	}
}

// after does something in this incarnation after some time by the machine's clock.
func (m *machine) after(micros int64, f func()) {
	m.lastSet++
	at := m.world.now() + micros*million/(million+m.rate)
	m.alarms.Push(calendar.Event[func()]{At: at, Order: m.lastSet, Value: f})
}

// end ends the incarnation: it has decided so, or could not begin.
func (m *machine) end(life protocol.NodeID, err error) {
	m.world.oracle.ended(m, life, err)
	m.why = fmt.Sprintf("%v: %v", life, err)
	m.stop()
	m.world.endAll(m, 0) // a daemon that ends waits for its tasks
	m.world.at(m.world.now()+second, func() { m.world.start(m) })
}

// crash is kill -9 of the daemon.
func (m *machine) crash() {
	m.stop()
	m.inbox, m.alarms = nil, nil
	m.world.endAll(m, killMicros)
}

// stop ends the work that the incarnation has begun beside itself, and then the incarnation.
func (m *machine) stop() {
	if m.node != nil {
		m.node.Close()
		m.beside.end()
	}
	m.node, m.links = nil, nil
}
