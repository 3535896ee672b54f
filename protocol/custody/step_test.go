package custody_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

func TestConfigValidate(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(*custody.Config)
		good   bool
	}{
		"default":        {func(*custody.Config) {}, true},
		"least":          {func(c *custody.Config) { c.ResendTicks, c.HostLimit = 1, 1 }, true},
		"no resend":      {func(c *custody.Config) { c.ResendTicks = 0 }, false},
		"no hosts":       {func(c *custody.Config) { c.HostLimit = 0 }, false},
		"too many hosts": {func(c *custody.Config) { c.HostLimit = protocol.MaxItems + 1 }, false},
	} {
		cfg := custody.DefaultConfig()
		c.damage(&cfg)
		if c.good {
			require.NoError(t, cfg.Validate(), name)
		} else {
			require.ErrorIs(t, cfg.Validate(), custody.ErrConfig, name)
		}
	}
}

// A job with one custodian, from its acceptance to the moment when it is forgotten.
func TestAlone(t *testing.T) {
	twin := custody.Attempt{By: attempt.By, Epoch: 2}
	hostless := custody.Command{Kind: custody.CommandPermit, Try: 1, Attempt: attempt}
	s := custody.New(nodeA, addresses(1))
	for _, each := range []struct {
		command custody.Command
		events  []string
	}{
		{plain(custody.CommandForget), []string{"later 9"}},
		{cancel(), []string{"later 7"}},
		{plain(custody.CommandAccept), []string{
			"ignore A a job is accepted at its first custodian or the heir of that one, with a limit",
		}},
		{accept(), []string{"leads 1", "accepted", "submit 1"}},
		{accept(), []string{"accepted"}},
		{closed(1, attempt), []string{"later 5"}},
		{permit(2, attempt), []string{"refused G 1 another try is on its way"}},
		{hostless, []string{"ignore A an attempt without a name or hosts"}},
		{permit(1, attempt), []string{"permitted G 1"}},
		{permit(1, attempt), []string{"permitted G 1"}},
		{permit(1, twin), []string{"refused G 2 another attempt of this try has the permit"}},
		{outcome(1, twin, "twin"), []string{"refused G 2 not the outcome of the permitted attempt"}},
		{custody.Command{Kind: custody.CommandTryOver, Try: 1}, nil},
		{plain(custody.CommandForget), []string{"later 9"}},
		{closed(1, attempt), []string{"closed H 1", "submit 2"}},
		{closed(1, attempt), []string{"closed H 1"}},
		{custody.Command{Kind: custody.CommandTryOver, Try: 1}, nil},
		{custody.Command{Kind: custody.CommandTryOver, Try: 2}, []string{"submit 3"}},
		{permit(3, twin), []string{"permitted G 2"}},
		{outcome(3, twin, ""), []string{"ignore A an outcome without a digest, or with a digest that is too long"}},
		{outcome(3, twin, "ok"), []string{"closed H 3", "ended outcome"}},
		{outcome(3, twin, "ok"), []string{"ended outcome"}},
		{outcome(3, twin, "other"), []string{"refused G 2 not the outcome of the permitted attempt"}},
		{cancel(), []string{"ended outcome"}},
		{permit(3, twin), []string{"refused G 2 the job is to end"}},
		{plain(custody.CommandForget), []string{"forgotten"}},
		{accept(), []string{"ignore the job is forgotten here, or the disk could not be read"}},
	} {
		var out custody.Output
		s, out = step(s, given(each.command))
		require.Equal(t, each.events, events(out), custody.CommandText(each.command))
	}
}

// How jobs end without an outcome.
func TestEnds(t *testing.T) {
	open, _ := after(custody.New(nodeA, addresses(1)), given(custody.Command{Kind: custody.CommandAccept, Limit: 1}))
	_, out := step(open, given(custody.Command{Kind: custody.CommandCancel, Requested: custody.Unplaced}))
	assert.Equal(t, []string{"cancel unplaced", "ended unplaced"}, events(out))
	_, out = step(open, given(custody.Command{Kind: custody.CommandCancel, Requested: custody.Exhausted}))
	assert.Equal(t, []string{"cancel exhausted", "ended exhausted"}, events(out))
	_, out = step(open, given(custody.Command{Kind: custody.CommandCancel, Requested: custody.Done}))
	assert.Equal(t, []string{"ignore A no such end"}, events(out))
	runs, _ := after(open, given(permit(1, attempt)))
	later := protocol.NodeID{Address: host.Address, Incarnation: 3}
	_, out = step(runs, given(custody.Command{Kind: custody.CommandDead, Life: later}))
	assert.Equal(t, []string{"closed H 1", "ended exhausted"}, events(out), "a later certificate proves the end, too")
	wished, out := step(runs, given(cancel()))
	assert.Equal(t, []string{"cancel cancelled"}, events(out))
	_, out = step(wished, given(permit(1, attempt)))
	assert.Equal(t, []string{"refused G 1 the job is to end"}, events(out))
	_, out = step(wished, given(closed(1, attempt)))
	assert.Equal(t, []string{"closed H 1", "ended cancelled"}, events(out))
}

// Invalid messages change nothing.
func TestMessagesThatAreIgnored(t *testing.T) {
	s, _ := after(custody.New(nodeA, addresses(2)), given(accept()))
	later := protocol.NodeID{Address: 1, Incarnation: 2}
	s, _ = after(s, given(custody.Command{Kind: custody.CommandDead, Life: nodeB}))
	for _, in := range []custody.Input{
		from(nodeC, custody.Message{Kind: custody.Hello}),
		from(protocol.NodeID{Address: 1}, custody.Message{Kind: custody.Hello}),
		from(nodeB, custody.Message{Kind: custody.Hello}),
		{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: 99}},
		{Kind: protocol.Chosen},
		{Kind: protocol.Chosen, Timer: protocol.Timer{Kind: custody.ResendTimer}},
		from(protocol.NodeID{Address: 0, Incarnation: 2}, custody.Message{Kind: custody.Hello}),
	} {
		next, out := step(s, in)
		require.Equal(t, s, next)
		require.Empty(t, out.Send)
		require.Empty(t, out.Set)
		require.Len(t, out.Events, 1)
		require.Equal(t, custody.EventIgnore, out.Events[0].Name)
	}
	for _, m := range []custody.Message{
		{}, {Kind: custody.Prepare, Number: 2}, {Kind: custody.Promise, Number: 1}, {Kind: custody.Copied, Number: 1},
		{Kind: custody.Copy, View: custody.View{Number: 3, Members: []protocol.NodeID{nodeB}}},
		{Kind: custody.Copy, View: custody.View{Number: 3, Members: []protocol.NodeID{nodeA}}},
	} {
		_, out := step(s, from(later, m))
		require.Contains(t, out.Events[0].String(), custody.EventIgnore, custody.MessageText(m))
	}
}

// The reasons for which a message is ignored, and that nothing is sent or stored then.
func TestReasonsToIgnore(t *testing.T) {
	taken, _ := after(custody.New(nodeB, addresses(2)), from(nodeA, custody.Message{Kind: custody.Prepare, Number: 2}))
	first := func(number uint32, members ...protocol.NodeID) custody.Message {
		return custody.Message{
			Kind: custody.Copy, View: custody.View{Number: number, Members: members}, Record: custody.Record{Try: 1, Limit: 1},
		}
	}
	for _, c := range []struct {
		in   custody.Input
		want string
	}{
		{from(nodeC, first(2, nodeA, nodeB)), "ignore C not from another custodian of this job"},
		{from(nodeB, first(2, nodeA, nodeB)), "ignore B not from another custodian of this job"},
		{from(protocol.NodeID{}, first(2, nodeA, nodeB)), "ignore not from another custodian of this job"},
		{from(nodeA, first(1, nodeA, nodeB)), "ignore A not the view of the sender and this incarnation"},
		{from(nodeA, first(3, nodeA, nodeB)), "ignore A not the view of the sender and this incarnation"},
		{from(nodeA, first(2, nodeA)), "ignore A not the view of the sender and this incarnation"},
		{from(nodeA, first(4, nodeA, nodeB)), "ignore A a view that was not promised"},
	} {
		next, out := step(taken, c.in)
		require.Equal(t, taken, next, c.want)
		require.Equal(t, []string{c.want}, events(out))
		require.Empty(t, out.Send, c.want)
		require.Nil(t, out.Persist, c.want)
	}
	_, out := step(taken, from(nodeA, first(2, nodeA, nodeB)))
	require.NotNil(t, out.Persist)
}

// Limits of commands.
func TestLimits(t *testing.T) {
	cfg := custody.DefaultConfig()
	cfg.HostLimit = 2
	open, _ := after(custody.New(nodeA, addresses(1)), given(accept()))
	hosts := []protocol.NodeID{nodeA, nodeB, nodeC}
	for count, want := range []string{
		"ignore A an attempt without a name or hosts", "permitted G 1", "permitted G 1",
		"ignore A an attempt without a name or hosts",
	} {
		c := permit(1, attempt)
		c.Hosts = hosts[:count]
		_, out := custody.Step(&cfg, open, given(c))
		require.Equal(t, []string{want}, events(out), count)
	}
	runs, _ := after(open, given(permit(1, attempt)))
	for count, want := range map[int][]string{
		custody.DigestLimit:     {"closed H 1", "ended outcome"},
		custody.DigestLimit + 1: {"ignore A an outcome without a digest, or with a digest that is too long"},
	} {
		_, out := step(runs, given(outcome(1, attempt, custody.Digest(make([]byte, count)))))
		require.Equal(t, want, events(out), count)
	}
	_, out := step(open, given(custody.Command{Kind: custody.CommandCancel, Requested: custody.Exhausted + 1}))
	require.Equal(t, []string{"ignore A no such end"}, events(out))
}

// A disk that cannot be read ends the instance. An empty disk belongs to a new instance.
func TestRestart(t *testing.T) {
	s, out := step(custody.New(nodeA, addresses(2)), custody.Input{Kind: protocol.Restart, Persisted: []byte{9, 9}})
	require.True(t, s.Over)
	require.Equal(t, []string{"ignore A what was persisted cannot be read"}, events(out))
	s, out = step(custody.New(nodeA, addresses(2)), custody.Input{Kind: protocol.Restart})
	require.Equal(t, custody.New(nodeA, addresses(2)), s)
	require.Empty(t, out.Send)
	s, _ = step(custody.New(nodeB, addresses(2)), custody.Input{Kind: protocol.Restart, Persisted: []byte{9, 9}})
	require.Empty(t, s.WaitsFor(), "an instance that is over waits for no peer")
}

// A custodian survives the disk of another job, with members that are not custodians of this one.
func TestForeignDisk(t *testing.T) {
	_, out := after(custody.New(nodeA, []protocol.Address{0, 7}),
		given(accept()),
		from(protocol.NodeID{Address: 7, Incarnation: 3}, custody.Message{Kind: custody.Promise, Number: 2}))
	require.NotNil(t, out.Persist)
	s, out := step(custody.New(nodeB, addresses(2)), custody.Input{Kind: protocol.Restart, Persisted: out.Persist})
	require.Equal(t, []custody.Life{{Known: 1}, {Known: 1}}, s.Lives)
	require.Len(t, out.Send, 1)
}

// A decoded state need not make sense. A primary without a list of answers sends its record again,
// and takes no answer.
func TestPrimaryWithoutAnswers(t *testing.T) {
	s := custody.New(nodeA, addresses(2))
	s.Disk.Promised, s.Disk.View = 2, custody.View{Number: 2, Members: []protocol.NodeID{nodeB, nodeA}}
	s, err := custody.DecodeState(custody.AppendState(nil, s))
	require.NoError(t, err)
	s.Lives[1].Known = 1
	s.Primary.Leads, s.Primary.Committed = true, true
	_, out := step(s, custody.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: custody.ResendTimer}})
	require.Len(t, out.Send, 2)
	_, out = step(s, from(nodeB, custody.Message{Kind: custody.Copied, Number: 2}))
	require.Equal(t, []string{"ignore B not about the latest record"}, events(out))
}

// The second of three custodians takes over when the first has died, and the first leads again when
// it is back.
func TestTakeover(t *testing.T) {
	net := newNetwork(3)
	a, b := net.Nodes[0], net.Nodes[1]
	net.Command(a, accept())
	net.Drain()
	net.Command(a, permit(1, attempt))
	net.Drain()
	net.Crash(a)
	dead(net, a)
	net.Drain()
	s := b.State()
	require.True(t, s.Leads())
	r, committed := s.Record()
	require.True(t, committed)
	require.Equal(t, attempt, r.Attempt)
	c := net.Nodes[2].State()
	require.Equal(t, nodeB, c.Leader())
	net.Start(a)
	net.Drain()
	s, c = a.State(), b.State()
	require.True(t, s.Leads())
	require.Len(t, s.Disk.View.Members, 3)
	require.False(t, c.Leads())
	require.Equal(t, protocol.NodeID{Address: 0, Incarnation: 2}, c.Leader())
	require.Equal(t, 1, net.Events[custody.EventYields])
}

// The heir of three takes a job with one other custodian, and the heir of two waits: the first one
// may have taken the job before it died.
func TestHeirTakes(t *testing.T) {
	for copies, takes := range map[int]bool{2: false, 3: true} {
		net := newNetwork(copies)
		a, b := net.Nodes[0], net.Nodes[1]
		net.Command(b, accept())
		require.Equal(t, 1, net.Events[custody.EventIgnore], "A may run")
		net.Crash(a)
		dead(net, a)
		net.Command(b, accept())
		net.Drain()
		s := b.State()
		require.Equal(t, takes, s.Leads())
		require.Equal(t, takes, net.Events[custody.EventAccepted] > 0)
		net.Start(a)
		net.Command(a, accept())
		net.Drain()
		require.NotZero(t, net.Events[custody.EventAccepted])
	}
}

// The last of two custodians to fail goes on alone, and the other one waits for it, unless the
// operator says that its disk is gone.
func TestLastToFail(t *testing.T) {
	net := newNetwork(2)
	a, b := net.Nodes[0], net.Nodes[1]
	net.Command(a, accept())
	net.Drain()
	net.Crash(a)
	dead(net, a)
	require.Equal(t, 2, net.Events[custody.EventLeads], "B was a member, and goes on")
	net.Crash(b)
	net.Start(a)
	net.Drain()
	dead(net, b)
	s := a.State()
	require.False(t, s.Leads())
	require.Equal(t, []protocol.Address{1}, s.WaitsFor())
	disk := a.Disk

	net.Command(a, plain(custody.CommandAcceptLoss))
	s = a.State()
	require.True(t, s.Leads())

	net.Crash(a)
	a.Disk = disk
	net.Start(b)
	net.Drain()
	dead(net, a)
	s = b.State()
	require.True(t, s.Leads(), "B was the last")
}

// wipe overwrites the lists that a step changes in place.
func wipe(s custody.State) {
	drivetest.Wipe(s.Lives)
	drivetest.Wipe(s.Primary.Acked)
	drivetest.Wipe(s.Forming.Lives)
}

// Custodians crash and come back, messages are dropped and duplicated. In the end, when all are up
// and all deaths are known, the job ends.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := newNetwork(1 + rapid.IntRange(0, 2).Draw(t, "copies"))
		number := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") }
		net.Command(net.Nodes[0], accept())
		for range 5 + number(60) {
			p := net.Nodes[number(len(net.Nodes))]
			switch what := number(9); {
			case what == 0 && p.Node.Running():
				net.Crash(p)
			case what <= 2 && !p.Node.Running():
				net.Start(p)
			case what == 3 && p.Node.Running():
				net.Command(p, []custody.Command{accept(), permit(1, attempt), closed(1, attempt)}[number(3)])
			case what == 4:
				net.FireOne(number(9), func(*process, protocol.Timer) bool { return true })
			case len(net.InFlight) > 0 && what == 5:
				net.Lose(number(len(net.InFlight)))
			case len(net.InFlight) > 0 && what == 6:
				net.Duplicate(number(len(net.InFlight)))
			case len(net.InFlight) > 0:
				net.Deliver(number(len(net.InFlight)))
			}
		}
		finish(t, net)
	})
}

// finish brings all custodians up and runs a fair schedule in which the client cancels.
func finish(t *rapid.T, net *network) {
	for _, p := range net.Nodes {
		if !p.Node.Running() {
			net.Start(p)
		}
	}
	done := func(p *process) bool { s := p.State(); return s.Disk.Record.Settled }
	for range 60 {
		for _, p := range net.Nodes {
			net.FireAll(p, func(protocol.Timer) bool { return true }, net.Drain)
		}
		net.Drain()
		net.Command(net.Nodes[0], accept())
		net.Drain()
		for _, c := range []custody.Command{cancel(), closed(1, attempt)} {
			net.Command(net.Nodes[0], c)
			net.Drain()
		}
		if len(net.Having(done)) == len(net.Nodes) {
			return
		}
	}
	for _, p := range net.Nodes {
		t.Log(custody.StateText(p.State()))
	}
	require.Fail(t, "the job does not end")
}
