package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

func TestMessagesArriveAfterTheirLatency(t *testing.T) {
	c := echoes(nil)
	c.Command(0, "say hello")
	c.RunUntil(99, nil)
	assert.Empty(t, c.State(1).Got)
	c.RunUntil(100, nil)
	assert.Equal(t, "A:hello ", c.State(1).Got)
	assert.Equal(t, "A:hello ", c.State(2).Got)
	assert.Equal(t, uint64(2), c.Stats().Delivered)
}

func TestMessagesOvertake(t *testing.T) {
	c := echoes(func(c *echoConfig) { c.Network.Latency = sim.Uniform{Min: 1, Max: 1000} })
	for _, word := range strings.Fields("a b c d e f g h") {
		c.Command(0, "say "+word)
	}
	c.RunUntil(1000, nil)
	assert.Len(t, strings.Fields(c.State(1).Got), 8)
	assert.NotEqual(t, c.State(1).Got, c.State(2).Got, "in another order at each")
}

func TestTimers(t *testing.T) {
	tests := map[string]struct {
		does []string // a command each millisecond
		want map[int64]string
	}{
		"fires":         {[]string{"set"}, map[int64]string{9_999: "", 10_000: "timeout "}},
		"is cancelled":  {[]string{"set", "cancel"}, map[int64]string{50_000: ""}},
		"set afresh":    {[]string{"set", "set"}, map[int64]string{10_999: "", 11_000: "timeout "}},
		"set once more": {[]string{"set", "cancel", "set"}, map[int64]string{11_999: "", 12_000: "timeout "}},
		"cancel, set":   {[]string{"set", "both"}, map[int64]string{5_999: "", 6_000: "timeout ", 50_000: "timeout "}},
		"set to earlier": {
			[]string{"set", "both", "set"},
			map[int64]string{11_999: "", 12_000: "timeout ", 50_000: "timeout "},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for at, want := range test.want {
				c := echoes(nil)
				for i, do := range test.does {
					c.At(int64(i)*1000, func() { c.Command(0, do) })
				}
				c.RunUntil(at, nil)
				assert.Equal(t, want, c.State(0).Got, at)
			}
		})
	}
}

func TestTimerThatIsNotDueIsSetAgain(t *testing.T) {
	var c *echoSimulation
	c = echoes(func(config *echoConfig) {
		config.Due = func(int, protocol.Timer) bool { return c.Now() > 30_000 }
	})
	c.Command(0, "set")
	c.RunUntil(39_999, nil)
	assert.Empty(t, c.State(0).Got)
	c.RunUntil(40_000, nil)
	assert.Equal(t, "timeout ", c.State(0).Got)
}

func TestClocksDrift(t *testing.T) {
	c := echoes(func(c *echoConfig) { c.DriftPPM = 500_000 })
	var fired []int64
	for i := range 3 {
		c.Command(i, "set")
	}
	c.RunUntil(15_000, func() bool { fired = append(fired, c.Now()); return true })
	require.Len(t, fired, 3)
	assert.NotEqual(t, fired[0], fired[1])
	for _, at := range fired {
		assert.Less(t, at, int64(15_001))
		assert.Greater(t, at, int64(4_999))
	}
}

func TestCrashKeepsOnlyPersistedState(t *testing.T) {
	c := echoes(nil)
	c.Command(0, "say one")
	c.RunUntil(100, nil)
	c.Command(1, "set")
	c.Command(0, "say two")
	c.Crash(1)
	assert.False(t, c.Running(node(1)))
	c.Restart(1)
	c.RunUntil(100_000, nil)
	assert.Equal(t, "again ", c.State(1).Got, "neither the message to the former incarnation nor its timer")
	assert.Equal(t, uint16(2), c.State(1).Self.Incarnation)
	assert.Equal(t, []byte{1, 2}, c.Persisted(1))
	assert.False(t, c.Running(node(1)))
	assert.True(t, c.Running(protocol.NodeID{Address: 1, Incarnation: 2}))
	assert.Equal(t, uint64(1), c.Stats().Undelivered)
}

func TestPartitions(t *testing.T) {
	tests := map[string]struct {
		oneWay bool
		want   [3]string // messages that each node received, one from each
	}{
		"both ways": {false, [3]string{"", "C:x ", "B:x "}},
		"one way":   {true, [3]string{"", "A:x C:x ", "A:x B:x "}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := echoes(nil)
			c.Partition([]uint8{0, 1, 1}, test.oneWay)
			for i := range 3 {
				c.Command(i, "say x")
			}
			c.RunUntil(1000, nil)
			for i, want := range test.want {
				assert.Equal(t, want, c.State(i).Got, i)
			}
			c.Heal(sim.Constant(7))
			c.Command(1, "say y")
			c.RunUntil(1007, nil)
			assert.Contains(t, c.State(0).Got, "B:y")
		})
	}
}

func TestSlowNodes(t *testing.T) {
	c := echoes(nil)
	c.Slow(1, 4)
	c.Command(0, "say x")
	c.RunUntil(100, nil)
	assert.Empty(t, c.State(1).Got)
	assert.NotEmpty(t, c.State(2).Got)
	c.RunUntil(499, nil)
	assert.Empty(t, c.State(1).Got)
	c.RunUntil(500, nil)
	assert.NotEmpty(t, c.State(1).Got)
}

func TestFaultsOfMessages(t *testing.T) {
	const all = 1_000_000
	tests := map[string]struct {
		network sim.Network
		words   int // that node 1 received
		late    bool
	}{
		"dropped":    {sim.Network{Drop: all}, 0, false},
		"duplicated": {sim.Network{Duplicate: all}, 200, false},
		"delayed":    {sim.Network{Delay: all, DelayMicros: 5000}, 100, true},
		"half":       {sim.Network{Drop: all / 2}, 48, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.network.Latency = sim.Constant(100)
			c := echoes(func(c *echoConfig) { c.Network = test.network })
			for range 100 {
				c.Command(0, "say x")
			}
			c.RunUntil(100, nil)
			early := len(strings.Fields(c.State(1).Got))
			c.RunUntil(10_000, nil)
			got := len(strings.Fields(c.State(1).Got))
			assert.InDelta(t, test.words, got, 10)
			assert.Equal(t, test.late, early < got/2 && got > 0)
		})
	}
}

// The message faults of a run, given as a list, make the same run again.
func TestFaultsAsAList(t *testing.T) {
	run := func(n sim.Network) *echoSimulation {
		n.Latency, n.DelayMicros = sim.Exponential(500), 3000
		c := echoes(func(c *echoConfig) { c.Network = n })
		c.RecordFaults()
		for i := range 50 {
			c.At(int64(i)*100, func() { c.Command(i%3, "say x") })
		}
		c.RunUntil(100_000, nil)
		return c
	}
	drawn := run(sim.Network{Drop: 100_000, Duplicate: 100_000, Delay: 100_000})
	require.Greater(t, len(drawn.Faults()), 10)
	given := run(sim.Network{Faults: drawn.Faults()})
	assert.Equal(t, drawn.Digest(), given.Digest())
	assert.NotEqual(t, drawn.Digest(), run(sim.Network{Faults: drawn.Faults()[1:]}).Digest())
	assert.Empty(t, run(sim.Network{Faults: []sim.Fault{}}).Faults())
}

func TestChoicesComeFirst(t *testing.T) {
	var order []string
	c := echoes(func(c *echoConfig) {
		c.OnStep = func(_ int, events []protocol.Event) { order = append(order, events[0].Name) }
	})
	c.Command(0, "choose")
	assert.Equal(t, []string{"start", "start", "start", "command", "chosen"}, order)
}

func TestMeasurements(t *testing.T) {
	c := echoes(nil)
	c.Command(0, "measure")
	c.RunUntil(150, nil)
	c.Command(0, "measure") // replaces the one in progress
	c.RunUntil(349, nil)
	assert.Empty(t, c.State(0).Got)
	c.RunUntil(350, nil)
	assert.Equal(t, "measured B 100 ", c.State(0).Got)
	c.Crash(1)
	c.Command(0, "measure")
	c.RunUntil(1000, nil)
	assert.Equal(t, "measured B 100 ", c.State(0).Got, "a node that does not run cannot be measured")
}

func TestSeedsDecide(t *testing.T) {
	digest := func(seed uint64) sim.Digest {
		c := echoes(func(c *echoConfig) { c.Seed, c.Network.Latency = seed, sim.Exponential(500) })
		for i := range 20 {
			c.Command(i%3, "say x")
		}
		c.RunUntil(10_000, nil)
		return c.Digest()
	}
	assert.Equal(t, digest(1), digest(1))
	assert.NotEqual(t, digest(1).Actions, digest(2).Actions)
	assert.NotEqual(t, digest(1).State, digest(2).State)
}
