package node

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// surveyor is a node that measures others, whose time and links belong to the test.
type surveyor struct {
	*Node
	life.Links
	t      *testing.T
	now    time.Duration
	alarms []due
	trips  func(to protocol.NodeID, number int) time.Duration // of an echo; 0: it is lost
	echoes map[protocol.NodeID]int
	core   asking
}

// asking is a core that measures what is named to it as near.
type asking struct {
	*scripted[peer.State, peer.Message, peer.Command]
}

func (c asking) Step(
	s peer.State, in protocol.Input[peer.Message, peer.Command],
) (peer.State, protocol.Output[peer.Message]) {
	s, out := c.scripted.Step(s, in)
	out.Measure = in.Command.Near
	return s, out
}

type due struct {
	at time.Duration
	do func()
}

func newSurveyor(t *testing.T) *surveyor {
	n, _ := bench()
	s := &surveyor{Node: n, t: t, now: time.Hour, echoes: map[protocol.NodeID]int{}}
	n.Config.Grid, n.Links = config.DefaultGrid(1, 1), s
	n.Machine.Clock = func() time.Duration { return s.now }
	n.Machine.After = func(d time.Duration, f func()) { s.alarms = append(s.alarms, due{s.now + d, f}) }
	s.core = asking{&scripted[peer.State, peer.Message, peer.Command]{}}
	n.Peer = driver.Add(n.Loop, life.PeerID, s.core, driver.Traits[peer.State, peer.Message]{
		Self: func(peer.State) protocol.NodeID { return here },
	}, peer.State{}, nil)
	n.Lease = driver.Add(n.Loop, life.LeaseID, &scripted[lease.State, lease.Message, lease.Command]{},
		driver.Traits[lease.State, lease.Message]{
			Self: func(lease.State) protocol.NodeID { return here },
		}, lease.State{}, nil)
	s.turn()
	return s
}

// turn lets the node do all that it can do now.
func (s *surveyor) turn() {
	for more := true; more; more = len(s.Done) > 0 {
		for _, f := range slices.Clone(s.Done) {
			s.Done = s.Done[1:]
			f()
		}
		step(s.t, s.Node)
	}
}

// survey is a survey of the cores.
func (s *surveyor) survey(ids ...protocol.NodeID) {
	s.Loop.Command(life.PeerID, peer.Command{Near: ids})
	s.turn()
}

// Send answers an echo after its round trip.
func (s *surveyor) Send(to protocol.NodeID, _ transport.Channel, _ uint8, frame []byte) {
	c := read(s.t, frame)
	s.echoes[to]++
	if trip := s.trips(to, s.echoes[to]); trip > 0 {
		s.After(trip, func() { s.Calls.Receive(to, answer(s.t, c.ID, "null")) })
	}
}

// pass lets time pass.
func (s *surveyor) pass(d time.Duration) {
	end := s.now + d
	for {
		slices.SortStableFunc(s.alarms, func(a, b due) int { return int(a.at - b.at) })
		if len(s.alarms) == 0 || s.alarms[0].at > end {
			break
		}
		next := s.alarms[0]
		s.alarms, s.now = s.alarms[1:], next.at
		next.do()
		s.turn()
	}
	s.now = end
}

// told is the latencies that the cores have received of a node, in microseconds.
func (s *surveyor) told(id protocol.NodeID) (all []uint32) {
	for _, in := range s.core.inputs {
		if in.Kind == protocol.Measured && in.From == id {
			all = append(all, in.Measure)
		}
	}
	return all
}

// idle demands that nothing is being measured, and nothing waits for that.
func (s *surveyor) idle() {
	assert.Zero(s.t, s.near.sampling)
	assert.Empty(s.t, s.near.line)
	for id, l := range s.near.latencies {
		assert.False(s.t, l.wanted, id)
	}
}

func always(trip time.Duration) func(protocol.NodeID, int) time.Duration {
	return func(protocol.NodeID, int) time.Duration { return trip }
}

// crowd are some nodes, and one whose turn is the last.
func crowd(n int) (others []protocol.NodeID, last protocol.NodeID) {
	for i := range n {
		others = append(others, protocol.NodeID{Address: protocol.Address(10 + i), Incarnation: 1})
	}
	return others, protocol.NodeID{Address: 1000, Incarnation: 1}
}

// A latency that was measured a moment ago is given to all cores that need it, and is measured
// again after a minute. The shortest of five round trips counts.
func TestALatencyIsMeasuredOnceForAllSurveys(t *testing.T) {
	s := newSurveyor(t)
	s.trips = func(_ protocol.NodeID, number int) time.Duration {
		return time.Duration(10-number%4) * time.Millisecond
	}
	s.survey(there)
	s.survey(there)
	s.pass(time.Second)
	assert.Equal(t, []uint32{3500}, s.told(there))
	assert.Equal(t, samples, s.echoes[there])

	s.survey(there)
	s.survey(there)
	s.pass(time.Second)
	assert.Equal(t, []uint32{3500, 3500}, s.told(there))
	assert.Equal(t, samples, s.echoes[there], "nothing is measured meanwhile")

	s.pass(latencyKept)
	s.survey(there)
	s.pass(time.Second)
	assert.Len(t, s.told(there), 3)
	assert.Equal(t, 2*samples, s.echoes[there], "after a minute it is")
	s.idle()
}

// A node seems far if all of its round trips waited for a processor. Some more show that it is not.
func TestWhatSeemsFarIsMeasuredMore(t *testing.T) {
	for busy, want := range map[int]struct {
		micros uint32
		echoes int
	}{samples + 2: {1000, samples + 3}, 99: {100_000, farSamples}} {
		s := newSurveyor(t)
		s.trips = func(_ protocol.NodeID, number int) time.Duration {
			if number <= busy {
				return 200 * time.Millisecond
			}
			return 2 * time.Millisecond
		}
		s.survey(there)
		s.pass(10 * time.Second)
		assert.Equal(t, []uint32{want.micros}, s.told(there))
		assert.Equal(t, want.echoes, s.echoes[there])
		s.idle()
	}
}

// A measurement that fails leaves nothing behind: few are measured at a time, and all others get
// their turn; the next request starts again.
func TestMeasurementsThatFailHoldNothing(t *testing.T) {
	s := newSurveyor(t)
	s.trips = always(0)
	others, _ := crowd(3 * samplesAtOnce)
	s.survey(others...)
	assert.Len(t, s.echoes, samplesAtOnce)
	s.pass(time.Minute)
	assert.Len(t, s.echoes, len(others))
	s.idle()

	s.trips = always(time.Millisecond)
	s.survey(others...)
	s.pass(time.Second)
	for _, id := range others {
		assert.Equal(t, []uint32{500}, s.told(id))
	}
	s.idle()
}

// Nodes that are silent or far do not keep a near one from being measured in the time after which
// the cores take it for far.
func TestOthersDoNotDelayAMeasurement(t *testing.T) {
	for what, trip := range map[string]time.Duration{"silent": 0, "far": 120 * time.Millisecond} {
		s := newSurveyor(t)
		others, last := crowd(63)
		s.trips = func(to protocol.NodeID, _ int) time.Duration {
			if to == last {
				return 2 * time.Millisecond
			}
			return trip
		}
		s.survey(append(others, last)...)
		cores, err := s.Config.Grid.Peer()
		require.NoError(t, err)
		s.pass(driver.Tick * time.Duration(cores.Refine.MeasureTicks))
		assert.Equal(t, []uint32{1000}, s.told(last), what)
		s.pass(time.Minute)
		s.idle()
	}
}

// A request that comes while a measurement is about to fail is one for another.
func TestARequestOutlastsAMeasurementThatFails(t *testing.T) {
	s := newSurveyor(t)
	s.trips = always(0)
	s.survey(there)
	s.pass(sampleTimeout - 100*time.Millisecond)
	s.survey(there)
	s.pass(time.Second)
	s.trips = always(time.Millisecond)
	s.pass(time.Second)
	assert.Equal(t, []uint32{500}, s.told(there))
	s.pass(time.Second)
	s.idle()
}

// A measurement of an incarnation that has died meanwhile is not reported as a latency of zero.
func TestNoLatencyIsMadeUp(t *testing.T) {
	s := newSurveyor(t)
	s.trips = always(2 * time.Millisecond)
	s.survey(there)
	s.pass(time.Second)
	s.trips = always(0)
	s.survey(there)
	delete(s.near.latencies, there) // as look does
	s.survey(there)
	s.pass(time.Minute)
	assert.Equal(t, []uint32{1000}, s.told(there))
	s.idle()
}

// While nodes come and go no node is named, but not for longer than nearRepeat.
func TestNodesAreNamedOnceNoOtherComes(t *testing.T) {
	s := newSurveyor(t)
	others, _ := crowd(100)
	assert.False(t, s.near.toName(others[:1]), "it has just come, though no node was named for long")
	assert.True(t, s.near.toName(others[:1]))
	s.near.named, s.near.again = others[:1], s.now+nearRepeat // as look does
	assert.False(t, s.near.toName(others[:1]), "it was named")
	begin, seen := s.now, 2
	for ; s.now < begin+nearRepeat; s.now += lookEvery {
		assert.False(t, s.near.toName(others[:seen]), "another one has come")
		seen++
	}
	assert.True(t, s.near.toName(others[:seen]), "it has taken long")
}
