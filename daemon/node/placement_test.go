package node

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// unconnected are the links of a daemon that has met no other. They keep the frames that are sent.
type unconnected struct{ recorded }

func (*unconnected) Cards() []transport.Card { return nil }

// clerk is a judge about a job that waits under ticket 5 since time 0, before a grid for which the
// test speaks.
type clerk struct {
	*judge
	t     *testing.T
	grid  *scripted[peer.State, peer.Message, peer.Command]
	wires *unconnected
}

func newClerk(t *testing.T) *clerk {
	t.Helper()
	grid := &scripted[peer.State, peer.Message, peer.Command]{}
	c := &clerk{newJudge(t, custody.Record{Try: 6}), t, grid, &unconnected{}}
	c.Links = c.wires
	c.grid.state.Can.Self.ID = here
	c.Peer = driver.Add(c.Loop, life.PeerID, c.grid, driver.Traits[peer.State, peer.Message]{
		Self: func(s peer.State) protocol.NodeID { return s.ID() },
	}, peer.State{}, nil)
	c.at(0)
	return c
}

// at lets time pass.
func (c *clerk) at(now time.Duration) {
	c.t.Helper()
	c.clock = now
	settle(c.t, c.Node, now)
}

// settle has the loop turn until nothing is left to do.
func settle(t *testing.T, n *Node, now time.Duration) {
	t.Helper()
	for again := true; again; {
		_, _, err := n.Loop.Turn(now)
		require.NoError(t, err)
		todo := n.Done
		again, n.Done = len(todo) > 0, nil
		for _, do := range todo {
			do()
		}
	}
}

// says is an event of the grid.
func (c *clerk) says(name string, ticket uint32) {
	c.t.Helper()
	c.onSearch(life.PeerID, protocol.Event{Name: name, Peer: there, Number: ticket, Detail: peer.Nobody.String()})
	c.at(c.clock)
}

// tries brings the custodians to a try, and has it submitted after a pause.
func (c *clerk) tries(try uint32, pause time.Duration) {
	c.t.Helper()
	c.core.state.Primary.Record = custody.Record{Try: try}
	c.order(c.k, custody.Command{})
	c.at(c.clock)
	c.want(c.k, pause)
	c.at(c.clock)
}

// others submits some jobs that are younger than the job of the test.
func (c *clerk) others(count int) (all []*keptJob) {
	c.t.Helper()
	for range count {
		r := &jobs.Record{Changes: []jobs.Change{{At: time.Unix(2000, 0)}}}
		k := &keptJob{record: r, core: c.k.core}
		c.want(k, 0)
		all = append(all, k)
	}
	c.at(c.clock)
	return all
}

// phase is where a job is.
func (c *clerk) phase(k *keptJob) placement.Phase {
	s := c.submissions.core.State()
	return s.Job(k.number).Phase
}

// submitted are the tickets under which the grid was given jobs.
func (c *clerk) submitted() (tickets []uint32) {
	for _, in := range c.grid.inputs {
		if in.Command.Kind == peer.CommandSubmit {
			tickets = append(tickets, in.Command.Ticket)
		}
	}
	return tickets
}

// A second copy of a report about a former submission changes nothing.
func TestPlacementStaleReport(t *testing.T) {
	c := newClerk(t)
	report := rpc.LostReport{Submission: rpc.Submission{Entry: here, Number: 5}}
	for range 2 {
		_, err := c.answerEnded(there, report)
		require.NoError(t, err)
		c.at(0)
	}
	assert.Equal(t, []uint32{6}, c.submitted())
	report.Entry, report.Number = third, 6
	_, err := c.answerEnded(there, report)
	require.NoError(t, err)
	_, err = c.answerLost(there, report)
	require.NoError(t, err)
	c.at(0)
	assert.Equal(t, []uint32{6}, c.submitted(), "it is about a submission of another node")
	assert.Equal(t, placement.Placed, c.phase(c.k))
}

// The patience of a search ends with it: the job pauses for its time. It says why it waits.
func TestPlacementPatience(t *testing.T) {
	c := newClerk(t)
	c.at(4900 * time.Millisecond)
	c.says(peer.EventUnmatched, 5)
	assert.Equal(t, "no cluster is large enough", c.k.record.Note)
	c.at(5050 * time.Millisecond)
	assert.Equal(t, placement.Resting, c.phase(c.k))
	c.at(5100 * time.Millisecond)
	assert.Equal(t, []uint32{6}, c.submitted())
}

// A job that comes back from a search in vain stands behind all that wait.
func TestPlacementLine(t *testing.T) {
	c := newClerk(t)
	young := c.others(33)
	first, second := young[31], young[32]
	assert.Equal(t, turnNote, first.record.Note)
	c.says(peer.EventUnmatched, 5)
	assert.Equal(t, placement.Placed, c.phase(first), "a job that pauses has no turn")
	assert.Empty(t, first.record.Note)
	c.at(time.Second)
	require.Equal(t, placement.Waiting, c.phase(c.k))
	c.says(peer.EventUnmatched, young[0].ticket)
	assert.Equal(t, placement.Placed, c.phase(second))
	assert.Equal(t, placement.Waiting, c.phase(c.k))
}

// A job that pauses before its next try gives its turn away.
func TestPlacementPause(t *testing.T) {
	c := newClerk(t)
	c.tries(7, time.Hour)
	require.Equal(t, placement.Resting, c.phase(c.k))
	_, err := c.answerOrder(there, rpc.Submission{Entry: here, Number: 5})
	assert.Error(t, err, "no attempt of the former try may become one of this try")
	for _, k := range c.others(32) {
		assert.Equal(t, placement.Placed, c.phase(k))
	}
	c.at(time.Hour - time.Second)
	assert.Equal(t, placement.Resting, c.phase(c.k))
	c.at(time.Hour)
	assert.NotEqual(t, placement.Resting, c.phase(c.k))
}

// A job whose search has no result for 5 s gives its turn away, and pauses.
func TestPlacementEndlessSearch(t *testing.T) {
	c := newClerk(t)
	c.at(5 * time.Second)
	assert.Equal(t, placement.Resting, c.phase(c.k))
	assert.Empty(t, c.submitted())
	assert.Equal(t, noOwner, c.k.record.Note)
	c.at(5200 * time.Millisecond)
	assert.Equal(t, []uint32{6}, c.submitted())
}

// An attempt resets the count of searches in vain.
func TestPlacementBackOff(t *testing.T) {
	c := newClerk(t)
	c.says(peer.EventUnmatched, 5)
	c.at(200 * time.Millisecond)
	c.says(peer.EventUnmatched, 6)
	c.at(400 * time.Millisecond)
	require.Equal(t, placement.Resting, c.phase(c.k), "the second pause is longer")
	c.at(600 * time.Millisecond)
	c.k.asked = asks(first, 6).JobAttempt
	c.k.asked.Ticket = 7
	c.permitted(c.k, first)
	c.tries(7, 0)
	require.Equal(t, []uint32{6, 7, 8}, c.submitted())
	c.says(peer.EventUnmatched, 8)
	c.at(800 * time.Millisecond)
	assert.Equal(t, []uint32{6, 7, 8, 9}, c.submitted())
}

// An owner that reports a former submission is asked to cancel it. An owner that reports the
// present submission is the owner of the job.
func TestPlacementStray(t *testing.T) {
	c := newClerk(t)
	c.at(5 * time.Second)
	c.at(5200 * time.Millisecond)
	require.Equal(t, []uint32{6}, c.submitted())
	c.says(peer.EventOwned, 5)
	require.Len(t, c.wires.frames, 1)
	assert.Contains(t, string(c.wires.frames[0]), "cancel")
	assert.Empty(t, c.k.record.Owner)
	c.says(peer.EventOwned, 6)
	assert.Len(t, c.wires.frames, 1)
	assert.Equal(t, there, c.k.record.Owner)
	assert.Equal(t, there, c.ownerOf(c.k))
}

// The job keeps the submission of a permitted attempt. If another incarnation has made it, that of
// this incarnation is given up.
func TestPlacementPermit(t *testing.T) {
	for name, test := range map[string]struct {
		ticket  uint32
		attempt custody.Attempt
		cancels bool
	}{
		"the present one":              {5, first, false},
		"of another node":              {7, first, true},
		"whose request was never here": {5, second, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClerk(t)
			c.says(peer.EventOwned, 5)
			c.k.asked = asks(first, 6).JobAttempt
			c.k.asked.Ticket = test.ticket
			c.permitted(c.k, test.attempt)
			c.at(0)
			assert.Equal(t, placement.Running, c.phase(c.k))
			assert.Len(t, c.wires.frames, map[bool]int{true: 1}[test.cancels])
		})
	}
}

// A new owner is searched for after the owner has died, or has answered that it lacks the job.
func TestPlacementOwner(t *testing.T) {
	c := newClerk(t)
	c.says(peer.EventOwned, 5)
	c.nodeDied(third)
	c.at(0)
	assert.Empty(t, c.submitted())
	c.nodeDied(there)
	c.at(0)
	assert.Equal(t, []uint32{6}, c.submitted())
	c.says(peer.EventOwned, 6)
	c.at(4900 * time.Millisecond)
	assert.Empty(t, c.wires.frames)
	c.at(5 * time.Second)
	require.Len(t, c.wires.frames, 1)
	assert.Contains(t, string(c.wires.frames[0]), "owns")
}

// A held job waits for nothing until it is released. A job of another primary is forgotten, unless
// an attempt of it runs.
func TestPlacementHold(t *testing.T) {
	c := newClerk(t)
	c.says(peer.EventOwned, 5)
	require.NoError(t, c.orders.doNow(c.k, doHold))
	c.at(0)
	assert.Equal(t, placement.Stopped, c.phase(c.k))
	assert.Len(t, c.wires.frames, 1, "its owner is to cancel it")
	c.want(c.k, 0)
	c.at(0)
	assert.Empty(t, c.submitted())
	require.NoError(t, c.orders.doNow(c.k, doRelease))
	c.at(0)
	assert.Equal(t, []uint32{6}, c.submitted())
	s := c.submissions.core.State()
	require.NotNil(t, s.Job(c.k.number))
	c.leave(c.k)
	c.at(0)
	s = c.submissions.core.State()
	assert.Nil(t, s.Job(c.k.number))
}

// The owner of a job that is cancelled while it waits for an attempt is to cancel the submission.
func TestPlacementHalt(t *testing.T) {
	c := newClerk(t)
	c.says(peer.EventOwned, 5)
	c.halt(c.k)
	c.at(0)
	assert.Equal(t, placement.Stopped, c.phase(c.k))
	require.Len(t, c.wires.frames, 1)
	assert.Contains(t, string(c.wires.frames[0]), "cancel")
}

// A custodian that decides about a job once more submits it again. While another one decides, it
// does not, but a running attempt keeps its submission: its owner may have to end it.
func TestPlacementLedAgain(t *testing.T) {
	c := newClerk(t)
	wants := protocol.Event{Name: custody.EventSubmit, Number: 6}
	yields := protocol.Event{Name: custody.EventYields}
	for ticket := range uint32(2) {
		c.onCustody(c.k.id, yields)
		c.at(0)
		s := c.submissions.core.State()
		assert.Nil(t, s.Job(c.k.number))
		c.onCustody(c.k.id, wants)
		c.at(0)
		assert.Equal(t, []uint32{6, 7}[:ticket+1], c.submitted())
	}
	c.k.record.Attempts = []jobs.Attempt{{By: there, Epoch: 1, Hosts: hosts}}
	c.permitted(c.k, first)
	c.onCustody(c.k.id, yields)
	c.at(0)
	assert.Equal(t, placement.Running, c.phase(c.k))
}

// The turns of a daemon grow with its grid, and are never fewer than 32.
func TestPlacementTurns(t *testing.T) {
	c := newClerk(t)
	for nodes, turns := range map[int]int{1: 32, 4: 32, 5: 40, 100: 800} {
		c.resize(nodes)
		c.at(0)
		assert.EqualValues(t, turns, c.submissions.core.State().Turns)
		assert.Equal(t, turns, turnsOf(nodes))
	}
}
