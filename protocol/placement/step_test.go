package placement_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
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

// events lists the events of the last step, as texts.
func (d *desk) events() (all []string) {
	for _, e := range d.out.Events {
		all = append(all, e.String())
	}
	return all
}

func (d *desk) phase(job uint32) placement.Phase { return d.state.Job(job).Phase }

// Old jobs go first. A job that returns from a search in vain goes behind all jobs in line.
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

// The stamp decides, not the number. The number decides between jobs of one stamp.
func TestLineOfStamps(t *testing.T) {
	d := newDesk(t, 1).wants(9, 1)
	for _, j := range []placement.Job{
		{Number: 1, Try: 1, Stamp: 8}, {Number: 2, Try: 8, Stamp: 5}, {Number: 3, Try: 1, Stamp: 5},
		{Number: 4, Try: 1, Stamp: 7},
	} {
		d.give(placement.Command{Kind: placement.CommandWants, Job: j.Number, Try: j.Try, Stamp: j.Stamp})
	}
	require.Equal(t, []uint32{2, 3, 4, 1}, d.state.Line())
}

// Pauses after searches in vain double up to their limit. A permit begins again.
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

// A search in vain counts even where all pauses are equal: the job goes to the end of the line.
func TestBackOffWithoutGrowth(t *testing.T) {
	d := newDesk(t, 1)
	d.cfg.BackOffMax = d.cfg.BackOffMin
	d.wants(1, 1).wants(2, 1).wants(3, 1)
	d.of(placement.CommandLost, 1).fire(placement.RestTimer, 1)
	require.Equal(t, []uint32{3, 1}, d.state.Line())
	require.Equal(t, uint8(1), d.state.Job(1).Searches)
}

// Each timer has the time that the configuration gives it.
func TestTimes(t *testing.T) {
	d := newDesk(t, 1)
	d.cfg.PatienceTicks, d.cfg.AskTicks = 7, 9
	require.Equal(t, uint32(7), d.wants(1, 1).out.Set[0].MaxTicks)
	require.Equal(t, uint32(9), d.of(placement.CommandOwned, 1).out.Set[0].MaxTicks)
}

// A job that pauses before its next try has no turn.
func TestPause(t *testing.T) {
	d := newDesk(t, 1).give(placement.Command{Kind: placement.CommandWants, Job: 1, Try: 2, Rest: 3600})
	require.Equal(t, uint32(3600), d.out.Set[0].MaxTicks)
	require.Equal(t, placement.Placed, d.wants(2, 1).phase(2))
	require.Equal(t, placement.Waiting, d.fire(placement.RestTimer, 1).phase(1))
	d.give(placement.Command{Kind: placement.CommandWants, Job: 3, Try: 1, Rest: math.MaxUint32})
	require.Equal(t, d.cfg.RestMax, d.out.Set[0].MaxTicks)
	d.give(placement.Command{Kind: placement.CommandWants, Job: 3, Try: 2, Rest: 10})
	require.Equal(t, uint32(10), d.out.Set[0].MaxTicks, "the next try pauses again")
}

// The next try gives the submission of the former one up, whether or not an attempt of it has the
// permit. The limit of jobs does not refuse it.
func TestNextTry(t *testing.T) {
	d := newDesk(t, 1)
	d.cfg.JobLimit = 1
	d.wants(1, 1).of(placement.CommandOwned, 1).wants(1, 2)
	require.Equal(t, []string{"revoke E.2 1", "wait 1", "submit 2"}, d.events())
	d.of(placement.CommandOwned, 2).give(placement.Command{Kind: placement.CommandPermitted, Job: 1, Ticket: 2})
	d.wants(1, 3)
	require.Equal(t, []string{"revoke E.2 2", "wait 1", "submit 3"}, d.events())
	require.Equal(t, uint32(3), d.state.Job(1).Try)
}

// The submission of the attempt that has the permit stays in the grid, and reports on it change
// nothing: neither a second permit nor a wish for the same try takes the job back.
func TestPermitted(t *testing.T) {
	permitted := placement.Command{Kind: placement.CommandPermitted, Job: 1, Ticket: 1}
	d := newDesk(t, 1).wants(1, 1).of(placement.CommandLost, 1).fire(placement.RestTimer, 1)
	permitted.Ticket = 2
	d.of(placement.CommandOwned, 2).give(permitted)
	require.Empty(t, d.out.Events)
	running := placement.Job{Number: 1, Try: 1, Stamp: 1, Phase: placement.Running, Ticket: 2, Owner: owner}
	require.Equal(t, placement.ListOf(running), d.state.Jobs)
	for _, c := range []placement.Command{
		permitted, {Kind: placement.CommandPermitted, Job: 1, Ticket: 1}, {Kind: placement.CommandWants, Job: 1, Try: 1},
		{Kind: placement.CommandLost, Ticket: 2}, {Kind: placement.CommandEnded, Ticket: 2},
	} {
		d.give(c)
		require.Equal(t, placement.EventIgnore, d.out.Events[0].Name, placement.CommandText(c))
		require.Equal(t, placement.ListOf(running), d.state.Jobs)
	}
}

// An attempt of a former submission may have the permit. Its owner reports later, and stays.
func TestFormerPermitted(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1).of(placement.CommandLost, 1).fire(placement.RestTimer, 1)
	d.give(placement.Command{Kind: placement.CommandPermitted, Job: 1, Ticket: 1})
	require.Empty(t, d.out.Events, "the owner of the latest is not known yet")
	require.Equal(t, []string{"owned E.2 1"}, d.of(placement.CommandOwned, 1).events())
	require.Equal(t, owner, d.state.Job(1).Owner)
	require.Equal(t, []string{"revoke E.2 2"}, d.of(placement.CommandOwned, 2).events())
}

// A submission that its owner has ended is submitted again at once: the job keeps its turn.
func TestEnded(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1).wants(2, 1).of(placement.CommandOwned, 1).of(placement.CommandEnded, 1)
	require.Equal(t, []string{"submit 2"}, d.events())
	require.Equal(t, []uint32{2}, d.state.Line())
	require.Equal(t, uint32(2), d.state.Job(1).Ticket)
	require.True(t, d.state.Job(1).Owner.IsNobody())
}

// The first owner of a submission counts. The latest submission of a job that was dropped is
// cancelled like any other.
func TestOwned(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1).of(placement.CommandOwned, 1)
	d.give(placement.Command{Kind: placement.CommandOwned, Ticket: 1, Node: self})
	require.Equal(t, placement.EventIgnore, d.out.Events[0].Name)
	require.Equal(t, owner, d.state.Job(1).Owner)
	d.give(placement.Command{Kind: placement.CommandDrop, Job: 1}).of(placement.CommandOwned, 1)
	require.Equal(t, []string{"revoke E.2 1"}, d.events())
}

// A job that waits for its turn has no submission, and 0 is no ticket.
func TestNoTicket(t *testing.T) {
	d := newDesk(t, 1).wants(1, 1).wants(2, 1)
	require.Nil(t, d.state.Of(0))
	require.Equal(t, uint32(1), d.state.Of(1).Number)
}

// A new incarnation begins without jobs.
func TestRestart(t *testing.T) {
	d := newDesk(t, 3).wants(1, 1).input(placement.Input{Kind: protocol.Restart})
	require.Equal(t, placement.State{Self: self, Turns: 3}, d.state)
}

// Reports on a former submission no longer count. Its owner is asked to cancel it.
func TestFormerSubmissions(t *testing.T) {
	d := newDesk(t, 2).wants(1, 1).fire(placement.PatienceTimer, 1).fire(placement.RestTimer, 1)
	require.Equal(t, uint32(2), d.state.Job(1).Ticket)
	for _, kind := range []placement.CommandKind{placement.CommandLost, placement.CommandEnded} {
		require.Equal(t, uint32(2), d.of(kind, 1).state.Job(1).Ticket)
	}
	d.of(placement.CommandOwned, 1)
	require.Equal(t, []string{"revoke E.2 1"}, d.events())
	d.of(placement.CommandOwned, 2)
	require.Equal(t, []string{"owned E.2 2"}, d.events())
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
	d.of(placement.CommandLost, 5).fire(placement.RestTimer, 3)
	require.Equal(t, uint32(6), d.state.Job(3).Ticket)
	d.give(dead)
	require.Equal(t, uint32(6), d.state.Job(3).Ticket, "a search after one in vain has its own end")
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
	d.of(placement.CommandLost, 3).give(placement.Command{Kind: placement.CommandStop, Job: 1})
	require.Empty(t, d.out.Events, "it has no submission")
	require.Zero(t, d.state.Job(1).Searches)
	d.wants(3, 1).give(placement.Command{Kind: placement.CommandStop, Job: 3})
	require.Empty(t, d.out.Events, "the owner of its submission is not known")
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

// A node never has fewer turns than its configuration gives it.
func TestTurnsLeast(t *testing.T) {
	for _, turns := range []uint32{0, 1, 3} {
		d := newDesk(t, 3).give(placement.Command{Kind: placement.CommandTurns, Turns: turns})
		require.Equal(t, uint32(3), d.state.Turns)
	}
}

// Invalid and repeated commands change nothing.
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
	require.Equal(t, []string{"ignore no such input"}, d.input(placement.Input{Kind: protocol.Deliver}).events())
	require.Equal(t, []string{"ignore no such command"}, d.give(placement.Command{}).events())
	require.Equal(t, []string{"ignore 2 no such try, or too many jobs"}, d.wants(2, 1).events())
	require.Equal(t, []string{"ignore 1 this try is known"}, d.wants(1, 2).events())
	permitted := placement.Command{Kind: placement.CommandPermitted, Job: 2}
	require.Equal(t, []string{"ignore 2 no such job, or it runs"}, d.give(permitted).events())
	require.Equal(t, placement.EventIgnore, newDesk(t, 1).wants(1, 0).out.Events[0].Name, "the first try is 1")
	d.fire(placement.RestTimer, 1)
	require.Equal(t, placement.EventIgnore, d.out.Events[0].Name)
	require.Equal(t, "no timer", placement.TimerText(protocol.Timer{Kind: 99}))
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
		"long rests":   func(c *placement.Config) { c.RestMax = 1<<30 + 1 },
	} {
		cfg := placement.DefaultConfig()
		require.NoError(t, cfg.Validate())
		damage(&cfg)
		require.ErrorIs(t, cfg.Validate(), placement.ErrConfig, name)
	}
}

func TestConfigBounds(t *testing.T) {
	cfg := placement.DefaultConfig()
	cfg.BackOffMin, cfg.BackOffMax, cfg.RestMax, cfg.JobLimit = 1<<30, 1<<30, 1<<30, 1
	require.NoError(t, cfg.Validate())
	cfg.JobLimit = placement.JobMost
	require.NoError(t, cfg.Validate())
}

// Several turns at once, since the grid has grown, go to the first jobs in line.
func TestNewTurns(t *testing.T) {
	d := newDesk(t, 1)
	for job := range uint32(5) {
		d.wants(job+1, 1)
	}
	d.give(placement.Command{Kind: placement.CommandTurns, Turns: 4})
	for job := range uint32(4) {
		require.Equal(t, placement.Placed, d.state.Job(job+1).Phase, "job %d", job+1)
	}
	require.Equal(t, placement.Waiting, d.state.Job(5).Phase)
}
