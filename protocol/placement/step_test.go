package placement_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/placement"
)

var self = protocol.NodeID{Incarnation: 1}

// desk is a node that is given commands, one after the other.
type desk struct {
	t     *testing.T
	cfg   placement.Config
	state placement.State
	out   placement.Output
}

func newDesk(t *testing.T, turns uint32) *desk {
	cfg := placement.DefaultConfig()
	cfg.TurnsLeast = turns
	return &desk{t: t, cfg: cfg, state: placement.New(self)}
}

func (d *desk) give(c placement.Command) *desk {
	return d.input(placement.Input{Kind: protocol.Command, Command: c})
}

func (d *desk) fire(kind protocol.TimerKind, job uint32) *desk {
	peer := protocol.NodeID{Address: protocol.Address(job)}
	return d.input(placement.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind, Peer: peer}})
}

func (d *desk) input(in placement.Input) *desk {
	d.state, d.out = placement.Step(&d.cfg, d.state, in)
	return d
}

func (d *desk) wants(job, try uint32) *desk {
	return d.give(placement.Command{Kind: placement.CommandWants, Job: job, Try: try, Stamp: uint64(job)})
}

func (d *desk) of(kind placement.CommandKind, ticket uint32) *desk {
	return d.give(placement.Command{Kind: kind, Ticket: ticket, Node: owner})
}

var owner = protocol.NodeID{Address: 4, Incarnation: 2}

// events lists what a step has announced, as texts.
func (d *desk) events() (all []string) {
	for _, e := range d.out.Events {
		all = append(all, e.String())
	}
	return all
}

func (d *desk) phase(job uint32) placement.Phase { return d.state.Job(job).Phase }

// Old jobs go first. One that comes back from a search in vain stands behind all that wait.
func TestLine(t *testing.T) {
	d := newDesk(t, 1).wants(3, 1).wants(2, 1).wants(1, 1)
	require.Equal(t, []uint32{1, 2}, d.state.Line())
	d.of(placement.CommandLost, 1)
	require.Equal(t, placement.Placed, d.phase(1))
	d.fire(placement.RestTimer, 3)
	require.Equal(t, []uint32{2, 3}, d.state.Line())
	d.of(placement.CommandLost, 2).fire(placement.RestTimer, 1)
	require.Equal(t, []uint32{3, 1}, d.state.Line())
}

// Pauses after searches in vain double up to their limit. A permit begins anew.
func TestBackOff(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1)
	for ticket, ticks := range []uint32{20, 40, 80, 160, 320, 500, 500, 500} {
		d.of(placement.CommandLost, uint32(ticket+1))
		require.Equal(t, ticks, d.out.Set[0].MaxTicks)
		d.fire(placement.RestTimer, 1)
	}
	d.give(placement.Command{Kind: placement.CommandPermitted, Job: 1, Ticket: 9}).wants(1, 2)
	d.of(placement.CommandLost, 10)
	require.Equal(t, uint32(20), d.out.Set[0].MaxTicks)
}

// A job that pauses before its next try has no turn.
func TestPause(t *testing.T) {
	d := newDesk(t, 1).give(placement.Command{Kind: placement.CommandWants, Job: 1, Try: 2, Rest: 3600})
	require.Equal(t, uint32(3600), d.out.Set[0].MaxTicks)
	require.Equal(t, placement.Placed, d.wants(2, 1).phase(2))
	require.Equal(t, placement.Waiting, d.fire(placement.RestTimer, 1).phase(1))
	d.give(placement.Command{Kind: placement.CommandWants, Job: 3, Try: 1, Rest: math.MaxUint32})
	require.Equal(t, d.cfg.RestMax, d.out.Set[0].MaxTicks)
}

// What is said of a former submission counts no more. Its owner is asked to cancel it.
func TestFormerSubmissions(t *testing.T) {
	d := newDesk(t, 2).wants(1, 1).fire(placement.PatienceTimer, 1).fire(placement.RestTimer, 1)
	require.Equal(t, uint32(2), d.state.Job(1).Ticket)
	for _, kind := range []placement.CommandKind{placement.CommandLost, placement.CommandEnded} {
		require.Equal(t, uint32(2), d.of(kind, 1).state.Job(1).Ticket)
	}
	d.of(placement.CommandOwned, 1)
	require.Equal(t, []string{"revoke E.2 1"}, d.events())
	d.of(placement.CommandOwned, 2)
	require.Empty(t, d.out.Events)
	d.give(placement.Command{Kind: placement.CommandPermitted, Job: 1, Ticket: 1})
	require.Equal(t, []string{"revoke E.2 2"}, d.events(), "an attempt of the former one has the permit")
}

// A job is submitted again when its owner dies, or when the search for one may have ended with a
// node.
func TestDeath(t *testing.T) {
	dead := placement.Command{Kind: placement.CommandDead, Node: owner}
	d := newDesk(t, 4).wants(1, 1).wants(2, 1).wants(3, 1)
	d.of(placement.CommandOwned, 1)
	d.give(placement.Command{Kind: placement.CommandOwned, Ticket: 2, Node: self})
	d.give(dead)
	require.Equal(t, []uint32{4, 2, 5}, []uint32{d.state.Job(1).Ticket, d.state.Job(2).Ticket, d.state.Job(3).Ticket})
}

// A job that is held or dropped has no submission, and its turn goes to the next one.
func TestStops(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1).wants(2, 1).of(placement.CommandOwned, 1)
	d.give(placement.Command{Kind: placement.CommandStop, Job: 1})
	require.Equal(t, []string{"revoke E.2 1", "submit 2"}, d.events())
	d.give(placement.Command{Kind: placement.CommandStop, Job: 1})
	require.Equal(t, placement.EventIgnore, d.out.Events[0].Name)
	d.wants(1, 1)
	require.Equal(t, placement.Waiting, d.phase(1), "it was released")
	d.give(placement.Command{Kind: placement.CommandDrop, Job: 2})
	require.Nil(t, d.state.Job(2))
	require.Equal(t, placement.Placed, d.phase(1))
}

// Owners are asked again and again.
func TestAsk(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1).of(placement.CommandOwned, 1).fire(placement.AskTimer, 1)
	require.Equal(t, []string{"ask E.2 1"}, d.events())
	require.Len(t, d.out.Set, 1)
}

// Turns that are taken away end with their submissions.
func TestTurns(t *testing.T) {
	d := newDesk(t, 1).give(placement.Command{Kind: placement.CommandTurns, Turns: 2}).wants(1, 1).wants(2, 1).wants(3, 1)
	require.Equal(t, []uint32{3}, d.state.Line())
	d.give(placement.Command{Kind: placement.CommandTurns}).of(placement.CommandLost, 1)
	require.Equal(t, []uint32{3}, d.state.Line())
	d.of(placement.CommandLost, 2)
	require.Empty(t, d.state.Line())
}

// Commands that make no sense, or come again, change nothing.
func TestIgnored(t *testing.T) {
	d := newDesk(t, 1)
	d.cfg.JobLimit = 1
	d.wants(1, 2)
	for _, c := range []placement.Command{
		{}, {Kind: placement.CommandTurns + 1}, {Kind: placement.CommandWants, Job: 1, Try: 2},
		{Kind: placement.CommandWants, Job: 1, Try: 1}, {Kind: placement.CommandWants, Job: 1},
		{Kind: placement.CommandWants, Job: 2, Try: 1}, {Kind: placement.CommandPermitted, Job: 2},
		{Kind: placement.CommandStop, Job: 2}, {Kind: placement.CommandDrop, Job: 2},
		{Kind: placement.CommandOwned, Ticket: 2}, {Kind: placement.CommandLost}, {Kind: placement.CommandEnded, Ticket: 2},
	} {
		before := d.state
		require.Equal(t, before, d.give(c).state)
		require.Equal(t, placement.EventIgnore, d.out.Events[0].Name, placement.CommandText(c))
	}
	d.fire(placement.RestTimer, 1)
	require.Equal(t, placement.EventIgnore, d.out.Events[0].Name)
	require.Equal(t, "no timer", placement.TimerText(protocol.Timer{Kind: 99}))
}

// No input makes a node panic, in any state, and its steps are pure.
func TestNoInputPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := generator{t}
		bound := &placement.Core{Config: placement.DefaultConfig()}
		checked := drivetest.NewPure(t, bound, func(s placement.State) { drivetest.Wipe(s.Jobs) })
		s := g.state()
		for range rapid.IntRange(1, 20).Draw(t, "inputs") {
			s, _ = checked.Step(s, g.input())
		}
		checked.RequireUnchanged()
	})
}

func TestConfigValidate(t *testing.T) {
	for name, damage := range map[string]func(*placement.Config){
		"no turns":     func(c *placement.Config) { c.TurnsLeast = 0 },
		"no patience":  func(c *placement.Config) { c.PatienceTicks = 0 },
		"no questions": func(c *placement.Config) { c.AskTicks = 0 },
		"no back-off":  func(c *placement.Config) { c.BackOffMin = 0 },
		"shrinks":      func(c *placement.Config) { c.BackOffMax = c.BackOffMin - 1 },
		"no jobs":      func(c *placement.Config) { c.JobLimit = 0 },
		"short rests":  func(c *placement.Config) { c.RestMax = c.BackOffMax - 1 },
		"many jobs":    func(c *placement.Config) { c.JobLimit = placement.JobMost + 1 },
	} {
		cfg := placement.DefaultConfig()
		require.NoError(t, cfg.Validate())
		damage(&cfg)
		require.ErrorIs(t, cfg.Validate(), placement.ErrConfig, name)
	}
}
