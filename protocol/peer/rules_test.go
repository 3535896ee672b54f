package peer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// named returns the first incarnation of a node: B is 1.
func named(name byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

func commanded(c Command) Input { return Input{Kind: protocol.Command, Command: c} }

// sent lists the messages of one type in an output, with their receivers.
func sent[M Message](out Output) (all []M, to []protocol.NodeID) {
	for _, e := range out.Send {
		if m, ok := e.Message.(M); ok {
			all, to = append(all, m), append(to, e.To)
		}
	}
	return all, to
}

// crossroads returns a node with the four direct neighbours B, C, D and E. It is leaving, and has
// asked the CAN to let it go.
func crossroads(t *testing.T, self protocol.NodeID) (*Config, State) {
	t.Helper()
	sp, err := space.New(0, 12, 12)
	require.NoError(t, err)
	cfg := DefaultConfig(sp, 2, 2, 100)
	require.NoError(t, cfg.Validate())
	zone := func(x, y, width, height int32) space.Zone {
		z := sp.Whole()
		z.Low[0], z.Low[1], z.High[0], z.High[1] = x, y, x+width, y+height
		return z
	}
	s := New(self.Address, space.Point{5, 5})
	s.Can.Phase, s.Can.Leave, s.Leaving, s.Tasks.Leaving = can.Member, true, true, true
	s.Can.Self.ID, s.Refine.ID, s.Tasks.Self = self, self, self
	s.Can.Self.Zone = zone(4, 4, 4, 4)
	s.Can.Known = []can.Record{
		{ID: named('B'), Zone: zone(0, 0, 4, 12)}, {ID: named('C'), Zone: zone(8, 0, 4, 12)},
		{ID: named('D'), Zone: zone(4, 0, 4, 4)}, {ID: named('E'), Zone: zone(4, 8, 4, 4)},
	}
	return &cfg, s
}

// A node that leaves hands a job to any neighbour but its sender. Both the number of hops and the
// node that hands it over change the choice, so that the jobs spread and are not passed round in
// circles.
func TestHandOverIsDrawn(t *testing.T) {
	const tries = 64
	job := Job{
		Entry: named('D'), Ticket: 7, Submitted: 3, Spec: reptask.Spec{Size: 1, Requirement: space.Point{6, 6}},
	}
	hand := func(self protocol.NodeID, j Job) protocol.NodeID {
		cfg, s := crossroads(t, self)
		_, out := Step(cfg, s, Input{Kind: protocol.Deliver, From: named('B'), Message: j})
		jobs, to := sent[Job](out)
		require.Len(t, jobs, 1)
		j.Hops, j.Adopt = j.Hops+1, true
		require.Equal(t, j, jobs[0])
		return to[0]
	}
	byHops, byNode := map[protocol.NodeID]int{}, map[protocol.NodeID]int{}
	for i := range uint32(tries) {
		hopping := job
		hopping.Hops = i
		byHops[hand(named('A'), hopping)]++
		byNode[hand(protocol.NodeID{Address: protocol.Address(100 + i), Incarnation: 1}, job)]++
	}
	for _, count := range []map[protocol.NodeID]int{byHops, byNode} {
		require.Zero(t, count[named('B')], "it is the sender")
		for _, id := range []protocol.NodeID{named('C'), named('D'), named('E')} {
			require.Greater(t, count[id], tries/8, "%v of %v", id, count)
		}
	}
}

// A representative seeks an owner for the one attempt that has lost its owner in this step. Its
// other attempts have other owners, or have begun to seek before.
func TestOneOrphanIsSought(t *testing.T) {
	cfg, s := crossroads(t, named('A'))
	s.Leaving, s.Can.Leave, s.Tasks.Leaving = false, false, false
	role := func(owner, by byte, epoch uint32, bond reptask.Bond) {
		s.Tasks.Roles = append(s.Tasks.Roles, reptask.Role{
			Job: reptask.Job{Submitted: uint64(len(s.Tasks.Roles) + 1), Owner: named(by), Number: epoch},
			By:  named(by), Epoch: epoch, Owner: named(owner), Bond: bond, Phase: reptask.Collecting,
			Spec: reptask.Spec{Size: 1, Requirement: space.Point{9, 1}},
		})
	}
	role('D', 'D', 6, reptask.Bound)
	role('B', 'D', 5, reptask.Asking) // B is silent
	role('E', 'E', 5, reptask.Seeking)
	role('E', 'B', 5, reptask.Bound)
	silent := protocol.Timer{Kind: kindOf(TaskLayer, reptask.LeaseTimer), Peer: named('B')}
	_, out := Step(cfg, s, Input{Kind: protocol.Timeout, Timer: silent})
	jobs, to := sent[Job](out)
	orphan := s.Tasks.Roles[1]
	require.Equal(t, []Job{{
		Entry: named('A'), Orphan: orphan.Job, Submitted: 2, Spec: orphan.Spec, Hops: 1,
	}}, jobs)
	require.Equal(t, []protocol.NodeID{named('C')}, to)
}

// An owner counts its jobs apart from its attempts: it answers with the number of the job.
func TestOwnedNamesTheJob(t *testing.T) {
	cfg, s := lone(t)
	for _, epoch := range []uint32{0, 3, 4, 9} {
		s.Tasks.Jobs, s.Tasks.Epoch = 4, epoch
		after, out := Step(cfg, s, Input{Kind: protocol.Deliver, From: named('C'), Message: Job{
			Entry: named('B'), Ticket: 7, Submitted: 3, Spec: reptask.Spec{Size: 1, Requirement: space.Point{1}},
		}})
		answers, to := sent[Owned](out)
		require.Equal(t, []Owned{{Ticket: 7, Number: 5}}, answers)
		require.Equal(t, []protocol.NodeID{named('B')}, to)
		require.EqualValues(t, 5, after.Tasks.Jobs)
	}
}

// A job of a former owner is cancelled by the name of that owner, and one of this node without one.
func TestCancelNamesTheFirstOwner(t *testing.T) {
	cfg, s := lone(t)
	for _, owner := range []protocol.NodeID{s.ID(), named('B')} {
		job := reptask.Job{Submitted: 1, Owner: owner, Number: 3}
		s.Tasks.Owned = append(s.Tasks.Owned, reptask.Owned{
			Job: job, By: owner, Epoch: 3, Rep: named('C'), Spec: reptask.Spec{Size: 1},
		})
	}
	cancelled := func(c Command) []bool {
		after, _ := Step(cfg, s, commanded(c))
		require.Len(t, after.Tasks.Owned, 2)
		return []bool{
			after.Tasks.Owned[0].State == reptask.JobRevoking, after.Tasks.Owned[1].State == reptask.JobRevoking,
		}
	}
	require.Equal(t, []bool{true, false}, cancelled(Command{Kind: CommandCancel, Ticket: 3}))
	require.Equal(t, []bool{false, true}, cancelled(Command{Kind: CommandCancel, Ticket: 3, Contact: named('B')}))
	elsewhere := Command{Kind: CommandCancel, Ticket: 3, Contact: named('D'), Target: named('B')}
	require.Equal(t, []bool{false, false}, cancelled(elsewhere))
}

// A second command to leave changes nothing.
func TestLeavingTwice(t *testing.T) {
	cfg, s := crossroads(t, named('A'))
	s.Leaving, s.Can.Leave, s.Tasks.Leaving = false, false, false
	once, _ := Step(cfg, s, commanded(Command{Kind: CommandLeave}))
	require.True(t, once.Leaving && once.Can.Leave && once.Tasks.Leaving && once.Refine.Departed)
	twice, out := Step(cfg, once, commanded(Command{Kind: CommandLeave}))
	require.Equal(t, once, twice)
	ignored := protocol.Event{Name: EventIgnore, Peer: named('A'), Detail: "leaving already"}
	require.Equal(t, Output{Events: []protocol.Event{ignored}}, out)
}

// A node that leaves asks the CAN to let it go only while it is a member.
func TestOnlyMembersAskToGo(t *testing.T) {
	cfg, s := crossroads(t, named('A'))
	s.Can.Leave = false
	owned := Input{Kind: protocol.Deliver, From: named('B'), Message: Owned{Ticket: 1}}
	for phase := can.Outside; phase <= can.Departed; phase++ {
		s.Can.Phase = phase
		after, out := Step(cfg, s, owned)
		require.Equal(t, phase == can.Member, after.Can.Leave)
		if phase != can.Member {
			require.Equal(t, Output{Events: []protocol.Event{{Name: EventOwned, Peer: named('B'), Number: 1}}}, out)
		}
	}
}

// A new incarnation starts as if there had been no other, from any given state.
func TestRestartForgetsTheLastLife(t *testing.T) {
	cfg, _ := crossroads(t, named('A'))
	made := New(0, space.Point{5, 5})
	_, out := Step(cfg, made, Input{Kind: protocol.Start})
	restart := Input{Kind: protocol.Restart, Persisted: out.Persist}
	want, wantOut := Step(cfg, made, restart)
	require.EqualValues(t, 2, want.ID().Incarnation)
	_, leaving := crossroads(t, named('A'))
	got, gotOut := Step(cfg, leaving, restart)
	require.Equal(t, want, got)
	require.Equal(t, wantOut, gotOut)
}

// A process that was never started has its address in all layers.
func TestNew(t *testing.T) {
	at := space.Point{5, 4}
	require.Equal(t, State{Can: can.New(3, at), Refine: refine.New(3), Tasks: reptask.New(3)}, New(3, at))
}

// An input without effect is ignored, with an event that names the sender and the reason.
func TestIgnored(t *testing.T) {
	cfg, member := crossroads(t, named('A'))
	outside := member
	outside.Can.Phase = can.Joining
	for _, test := range []struct {
		state  State
		input  Input
		peer   protocol.NodeID
		reason string
	}{
		{member, Input{Kind: protocol.Restart + 1, From: named('B')}, named('B'), "input of another protocol"},
		{member, Input{Kind: protocol.Deliver, From: named('B')}, named('B'), "no such message"},
		{member, commanded(Command{Kind: CommandUncordon + 1}), named('A'), "no such order"},
		{
			member,
			Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kindOf(TreeLayer, 1), Peer: named('C')}},
			named('C'), "the application predicts which nodes are near",
		},
		{
			member, Input{Kind: protocol.Deliver, From: named('B'), Message: TreeMessage{}},
			named('B'), "the application predicts which nodes are near",
		},
		{member, commanded(Command{Kind: CommandTree}), named('A'), "the application predicts which nodes are near"},
		{
			outside, Input{Kind: protocol.Deliver, From: named('B'), Message: TaskMessage{}},
			named('B'), "no place in the grid yet",
		},
	} {
		after, out := Step(cfg, test.state, test.input)
		require.Equal(t, test.state, after)
		event := protocol.Event{Name: EventIgnore, Peer: test.peer, Detail: test.reason}
		require.Equal(t, Output{Events: []protocol.Event{event}}, out)
	}
}

// A job makes HopLimit hops, and ends at the node where it would need one more.
func TestAJobEndsAtTheHopLimit(t *testing.T) {
	cfg, s := crossroads(t, named('A'))
	cfg.HopLimit = 3
	arrives := func(hops uint32) (hopped []uint32, events []protocol.Event) {
		_, out := Step(cfg, s, Input{Kind: protocol.Deliver, From: named('D'), Message: Job{
			Entry: named('B'), Ticket: 7, Spec: reptask.Spec{Size: 1, Requirement: space.Point{9, 1}}, Hops: hops,
		}})
		jobs, _ := sent[Job](out)
		for _, j := range jobs {
			hopped = append(hopped, j.Hops)
		}
		return hopped, out.Events
	}
	hopped, events := arrives(cfg.HopLimit - 1)
	require.Equal(t, []uint32{cfg.HopLimit}, hopped)
	require.Empty(t, events)
	hopped, events = arrives(cfg.HopLimit)
	require.Empty(t, hopped)
	lost := protocol.Event{Name: EventLost, Peer: named('B'), Number: 7, Detail: "too many hops"}
	require.Equal(t, []protocol.Event{lost}, events)
}

// A node that has left refuses a grant that reaches it late, so that the owner asks another one.
func TestADepartedNodeRefusesAGrant(t *testing.T) {
	cfg, s := crossroads(t, named('A'))
	s.Can.Phase = can.Departed
	attempt := reptask.Attempt{Job: reptask.Job{Submitted: 3, Owner: named('B'), Number: 1}, By: named('B'), Epoch: 1}
	grant := reptask.Message{
		Kind: reptask.Grant, Attempt: attempt, Spec: reptask.Spec{Size: 1, Requirement: space.Point{1, 1}},
	}
	after, out := Step(cfg, s, Input{Kind: protocol.Deliver, From: named('B'), Message: TaskMessage{grant}})
	require.True(t, after.Gone())
	require.Empty(t, after.Tasks.Roles)
	answers, to := sent[TaskMessage](out)
	refuse := reptask.Message{Kind: reptask.GiveUp, Attempt: attempt, Reason: reptask.Refused}
	require.Equal(t, []TaskMessage{{refuse}}, answers)
	require.Equal(t, ids("B"), to)
}

// A node that is cordoned can represent a parallel job that runs elsewhere, but has no room for a
// serial one, which it would run itself.
func TestCordoned(t *testing.T) {
	cfg, s := crossroads(t, named('A'))
	room := func(s State, size uint32) bool {
		n := node{cfg: cfg, State: s}
		_, has := n.able(&reptask.Spec{Size: size, Over: reptask.OverNone})
		return has
	}
	require.True(t, room(s, 1))
	s, _ = Step(cfg, s, commanded(Command{Kind: CommandCordon}))
	require.True(t, s.Tasks.Cordoned)
	require.False(t, room(s, 1))
	require.True(t, room(s, 2))
	s, _ = Step(cfg, s, commanded(Command{Kind: CommandUncordon}))
	require.False(t, s.Tasks.Cordoned)
	require.True(t, room(s, 1))
}

// A search that comes to a cordoned node is unsure if the node could run the job once it is
// uncordoned, and only then.
func TestACordonedNodeMayBeAbleLater(t *testing.T) {
	for _, able := range []bool{false, true} {
		cfg, s, j := noneNear(t)
		if able {
			s.Can.Self.Coord = space.Point{7, 7}
		}
		s.Tasks.Cordoned = true
		j.Search = match.Search{Steps: append([]match.Step{{Node: named('A')}}, rounds...)}
		_, out := given(cfg, s, j)
		answers, _ := sent[Unmatched](out)
		why := Nobody
		if able {
			why = Undecided
		}
		require.Equal(t, []Unmatched{{Ticket: 7, Why: why}}, answers)
	}
}
