package muster_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/muster"
)

func TestConfigValidate(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*muster.Config)
		good   bool
	}{
		"default":        {func(*muster.Config) {}, true},
		"least":          {func(c *muster.Config) { c.ResendTicks, c.HostLimit = 1, 1 }, true},
		"no resend":      {func(c *muster.Config) { c.ResendTicks = 0 }, false},
		"no hosts":       {func(c *muster.Config) { c.HostLimit = 0 }, false},
		"too many hosts": {func(c *muster.Config) { c.HostLimit = protocol.MaxItems + 1 }, false},
	} {
		cfg := muster.DefaultConfig()
		c.damage(&cfg)
		if c.good {
			require.NoError(t, cfg.Validate(), name)
		} else {
			require.ErrorIs(t, cfg.Validate(), muster.ErrConfig, name)
		}
	}
}

// ignores reports whether a step changes nothing and says so.
func ignores(t *testing.T, s muster.State, in muster.Input) {
	t.Helper()
	next, out := step(s, in)
	assert.Equal(t, s, next)
	assert.Empty(t, out.Send)
	assert.Empty(t, out.Set)
	require.Len(t, out.Events, 1)
	assert.Equal(t, muster.EventIgnore, out.Events[0].Name)
}

// Invalid commands change nothing.
func TestCommandsThatAreIgnored(t *testing.T) {
	idle := muster.New(nodeA)
	for _, c := range []muster.Command{
		{},
		{Kind: muster.CommandEnd + 1},
		hosted(protocol.NodeID{}),
		hosted(nodeA, make([]uint16, muster.PortLimit+1)...),
		represented(true),
		represented(true, nodeB, nodeA),
		represented(true, nodeA, nodeA),
		plain(muster.CommandUnfit), exited(0, 0), granted(true), halted(muster.Cancelled), plain(muster.CommandDeposited),
	} {
		ignores(t, idle, given(c))
	}
	rep, _ := after(idle, given(represented(true, nodeA, nodeB)))
	for _, c := range []muster.Command{
		represented(true, nodeA), granted(true), plain(muster.CommandDeposited),
		halted(0), halted(muster.Refused), halted(muster.NoStart), halted(muster.Failure),
	} {
		ignores(t, rep, given(c))
	}
	host, _ := after(idle, given(hosted(nodeB)))
	for _, c := range []muster.Command{hosted(nodeB), hosted(nodeC), exited(0, 0), halted(muster.Cancelled)} {
		ignores(t, host, given(c))
	}
	cfg := muster.DefaultConfig()
	cfg.HostLimit = 1
	next, _ := muster.Step(&cfg, idle, given(represented(true, nodeA, nodeB)))
	require.Equal(t, idle, next)
	next, _ = muster.Step(&cfg, idle, given(represented(true, nodeA)))
	require.NotEqual(t, idle, next)
}

// Each reason that a client or a driver can have halts the hosts.
func TestReasonsToHalt(t *testing.T) {
	for _, why := range []muster.Reason{muster.Cancelled, muster.TimedOut, muster.Leaving} {
		s, out := after(muster.New(nodeA), given(represented(true, nodeB)), given(halted(why)))
		require.Equal(t, why, s.Rep.Reason)
		require.Equal(t, []muster.Envelope{
			{From: nodeA, To: nodeB, Message: muster.Message{Kind: muster.Halt, Reason: why}},
		}, out.Send)
	}
}

// A driver cannot give the reasons that a representative finds by itself.
func TestReasonsThatADriverCannotGive(t *testing.T) {
	for _, why := range []muster.Reason{
		0, muster.Refused, muster.NoStart, muster.Failure, muster.TaskLost, muster.TaskLost + 1,
	} {
		s, out := after(started(true), given(halted(why)))
		require.Zero(t, s.Rep.Reason, why)
		require.Empty(t, out.Send)
	}
}

// The status of a process whose outputs must be kept has the cause of its end.
func TestTheStatusOfAKeptTask(t *testing.T) {
	s, _ := after(hostAt(muster.HostRunning), given(ended(3, 9)), given(kept(true)))
	require.Equal(t, muster.Status{Cause: muster.Exited, Code: 3, Signal: 9}, s.Host.Status)
}

// A start changes nothing. A restart ends the instance.
func TestLives(t *testing.T) {
	host, _ := after(muster.New(nodeA), given(hosted(nodeB)))
	s, out := step(host, muster.Input{Kind: protocol.Start})
	require.Equal(t, host, s)
	require.Empty(t, out.Events)
	s, _ = step(host, muster.Input{Kind: protocol.Restart})
	require.Equal(t, muster.State{Self: nodeA, Ended: true}, s)
	ignores(t, s, given(hosted(nodeB)))
	ignores(t, s, from(nodeB, muster.Message{Kind: muster.Go}))
}

// A node that resends does so after the time of the configuration, as long as something is
// unanswered.
func TestTimer(t *testing.T) {
	timer := protocol.Timer{Kind: muster.ResendTimer}
	set := []protocol.SetTimer{{Timer: timer, MinTicks: 100, MaxTicks: 100}}
	s, out := after(muster.New(nodeA), given(hosted(nodeB)))
	require.Equal(t, set, out.Set)
	require.Equal(t, []protocol.Timer{timer}, s.Timers())
	s, out = step(s, muster.Input{Kind: protocol.Timeout, Timer: timer})
	require.Equal(t, set, out.Set)
	require.Len(t, out.Send, 1)
	s, out = step(s, from(nodeB, muster.Message{Kind: muster.Go, Places: []muster.Place{{Host: nodeA}}}))
	require.Equal(t, []protocol.Timer{timer}, out.Cancel)
	require.Empty(t, s.Timers())
	require.True(t, s.Runs())
	ignores(t, s, muster.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: 99}})
	ignores(t, s, muster.Input{Kind: protocol.Chosen})
	require.Equal(t, "no timer", muster.TimerText(protocol.Timer{Kind: 99}))
}

// An outcome is there from the end of the last task on.
func TestOutcome(t *testing.T) {
	s := muster.New(nodeA)
	_, _, ok := s.Outcome()
	require.False(t, ok)
	status := muster.Status{Cause: muster.Exited, Code: 3}
	s, _ = after(s, given(represented(true, nodeB)), from(nodeB, muster.Message{Kind: muster.Here}), given(granted(true)))
	_, _, ok = s.Outcome()
	require.False(t, ok)
	s, _ = step(s, from(nodeB, muster.Message{Kind: muster.Exit, Status: status}))
	statuses, reason, ok := s.Outcome()
	require.True(t, ok)
	require.Equal(t, []muster.Status{status}, statuses)
	require.Zero(t, reason)
}

// The statuses that count as failures.
func TestFailed(t *testing.T) {
	for _, c := range []struct {
		status muster.Status
		failed bool
	}{
		{muster.Status{Cause: muster.Exited}, false},
		{muster.Status{Cause: muster.Unrun}, false},
		{muster.Status{Cause: muster.Exited, Halted: true}, false},
		{muster.Status{Cause: muster.Exited, Code: 1}, true},
		{muster.Status{Cause: muster.Exited, Signal: 9}, true},
		{muster.Status{Cause: muster.Unfit}, true},
	} {
		assert.Equal(t, c.failed, c.status.Failed(), "%+v", c.status)
	}
}

// pure returns the core that checks its steps.
func pure(t require.TestingT) *drivetest.Pure[muster.State, muster.Message, muster.Command] {
	bound := core(&muster.Core{Config: muster.DefaultConfig()})
	return drivetest.NewPure(t, bound, func(s muster.State) { drivetest.Wipe(s.Rep.Members) })
}

// Things happen in any order, messages are dropped and duplicated. In the end every attempt that
// goes on without more faults has an outcome, and its hosts have finished.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := newNetwork(4)
		checked := pure(t)
		net.Core = checked
		number := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		rep, hosts := net.Nodes[number(4)], []protocol.NodeID{nodeA, nodeB, nodeC}[:1+number(3)]
		commands := []func(){func() { net.Command(rep, represented(number(2) == 0, hosts...)) }}
		for _, id := range hosts {
			commands = append(commands, func() { net.Command(net.At(id), hosted(rep.ID())) })
		}
		for range 5 + number(60) {
			switch what := number(8); {
			case what == 0 && len(commands) > 0:
				i := number(len(commands))
				commands[i]()
				commands = slices.Delete(commands, i, i+1)
			case what == 1:
				net.Command(rep, []muster.Command{granted(true), granted(false), halted(muster.Leaving)}[number(3)])
			case what == 2:
				net.Command(net.At(hosts[number(len(hosts))]), []muster.Command{
					exited(uint32(number(2)), 0), plain(muster.CommandUnfit),
				}[number(2)])
			case what == 3:
				net.FireOne(number(9), func(*process, protocol.Timer) bool { return true })
			case len(net.InFlight) > 0:
				lossy(net, number(len(net.InFlight)), what)
			}
		}
		for _, c := range commands {
			c()
		}
		finish(t, net, rep, hosts)
		checked.RequireUnchanged()
	})
}

// lossy delivers a message, or drops or duplicates it.
func lossy(net *network, i, what int) {
	switch what {
	case 4:
		net.Lose(i)
	case 5:
		net.Duplicate(i)
	default:
		net.Deliver(i)
	}
}

// finish runs a fair schedule in which the custodian grants, processes end, and the outcome becomes
// safe.
func finish(t *rapid.T, net *network, rep *process, hosts []protocol.NodeID) {
	require.True(t, net.Settle(40, func() {
		for _, p := range net.Nodes {
			net.FireAll(p, func(protocol.Timer) bool { return true }, net.Drain)
		}
		net.Command(rep, granted(true))
		net.Drain()
		for _, id := range hosts {
			net.Command(net.At(id), exited(0, 0))
		}
		net.Drain()
		net.Command(rep, plain(muster.CommandDeposited))
	}))
	s := rep.State()
	statuses, _, ok := s.Outcome()
	require.True(t, ok, muster.StateText(s))
	require.Len(t, statuses, len(hosts))
	require.Equal(t, muster.RepClosed, s.Rep.Phase)
	ran := 0
	for rank, id := range hosts {
		h := net.At(id).State().Host
		require.Equal(t, muster.HostClosed, h.Phase)
		require.Equal(t, h.Status, statuses[rank])
		if len(h.Places) > 0 {
			require.Equal(t, uint32(rank), h.Rank)
			ran++
		}
	}
	if s.Rep.Reason == muster.Refused || s.Rep.Reason == muster.NoStart {
		require.Zero(t, ran, "nothing starts if it was called off")
	}
}
