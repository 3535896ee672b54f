package peer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// square returns the member A in the middle of a square of twelve points a side, whose coordinate
// is (5, 5). Its direct neighbours are B (left), C (right), D (below) and E (above); F and G are
// behind them.
func square(t *testing.T) (*Config, State) {
	t.Helper()
	cfg, s := crossroads(t, named('A'))
	s.Leaving, s.Can.Leave, s.Tasks.Leaving = false, false, false
	at := func(r *can.Record, x, y int32) { r.Coord = space.Point{x, y} }
	at(&s.Can.Self, 5, 5)
	at(&s.Can.Known[0], 2, 6) // B
	at(&s.Can.Known[1], 9, 3)
	at(&s.Can.Known[2], 6, 1)
	at(&s.Can.Known[3], 6, 9)
	s.Can.Known[1].Zone.High[1] = 8
	f, g := s.Can.Known[1], s.Can.Known[0]
	f.ID, f.Zone.Low[1], f.Zone.High[1] = named('F'), 8, 12
	at(&f, 10, 10)
	g.ID, g.Zone.Low[0], g.Zone.High[0] = named('G'), -1, 0 // beyond the border: known, and far
	at(&g, 11, 11)
	s.Can.Known = append(s.Can.Known, f, g)
	return cfg, s
}

func asks(x, y int32) reptask.Spec {
	return reptask.Spec{Size: 1, Requirement: space.Point{x, y}}
}

// given returns what a node does with a job that arrives.
func given(cfg *Config, s State, j Job) (State, Output) {
	return Step(cfg, s, Input{Kind: protocol.Deliver, From: named('Z'), Message: j})
}

func ids(names string) (all []protocol.NodeID) {
	for i := range len(names) {
		all = append(all, named(names[i]))
	}
	return all
}

// The candidates are the node, its direct and then its indirect neighbours, if they satisfy the
// job; of each the minimal ones first.
func TestCandidates(t *testing.T) {
	for _, test := range []struct {
		x, y  int32
		apart bool
		dead  string
		want  string // the candidates after the first grant: the following ones, then the first
	}{
		{4, 4, false, "", "EFGA"},
		{4, 4, true, "", "FGAE"},
		{4, 4, false, "E", "FGA"},
		{4, 4, false, "F", "EGA"},
		{5, 6, true, "", "FGE"},
		{5, 5, false, "", "EFGA"},
	} {
		cfg, s := square(t)
		cfg.Apart, s.Can.Dead = test.apart, ids(test.dead)
		s, _ = given(cfg, s, Job{Entry: named('B'), Ticket: 1, Spec: asks(test.x, test.y)})
		require.Len(t, s.Tasks.Owned, 1, "%+v", test)
		require.Equal(t, ids(test.want), s.Tasks.Owned[0].Candidates, "%+v", test)
	}
}

// Smaller nodes come first even if the hash would have it otherwise, and a hash of job and node
// draws among equals.
func TestMinimalCandidatesComeFirst(t *testing.T) {
	first := map[protocol.NodeID]int{}
	for ticket := range uint32(64) {
		cfg, s := square(t)
		s.Can.Known[1].Coord, s.Can.Known[2].Coord, s.Can.Known[3].Coord = // C, D, E
			space.Point{8, 8}, space.Point{6, 9}, space.Point{9, 9}
		s.Can.Self.Coord = space.Point{4, 4}
		s, _ = given(cfg, s, Job{Entry: named('B'), Ticket: ticket, Spec: asks(5, 5)})
		order := s.Tasks.Owned[0].Candidates // the first has been asked, and is the last
		order = append(order[len(order)-1:], order[:len(order)-1]...)
		require.Equal(t, named('E'), order[2], "C and D are smaller")
		first[order[0]]++
	}
	require.Len(t, first, 2)
	require.Greater(t, first[named('C')], 10)
	require.Greater(t, first[named('D')], 10)
}

// A job has at most as many candidates as the task layer accepts, and this node is one.
func TestManyCandidates(t *testing.T) {
	for _, apart := range []bool{false, true} {
		cfg, s := square(t)
		cfg.Apart = apart
		for i := range 200 {
			r := s.Can.Known[5]
			r.ID.Address = protocol.Address(100 + i)
			s.Can.Known = append(s.Can.Known, r)
		}
		s, _ = given(cfg, s, Job{Entry: named('B'), Spec: asks(4, 4)})
		require.Len(t, s.Tasks.Owned, 1)
		require.Len(t, s.Tasks.Owned[0].Candidates, maxCandidates)
		require.Contains(t, s.Tasks.Owned[0].Candidates, named('A'))
	}
}

// noneNear returns the square without a node that satisfies (7, 7), and a job that requires it.
func noneNear(t *testing.T) (*Config, State, Job) {
	t.Helper()
	cfg, s := square(t)
	s.Can.Known = s.Can.Known[:5]
	s.Can.Known[4].Coord = space.Point{7, 6}
	return cfg, s, Job{Entry: named('B'), Ticket: 7, Submitted: 3, Spec: asks(7, 7)}
}

// A job that no near node can run begins a search, which goes to the nearest neighbour.
func TestASearchBegins(t *testing.T) {
	cfg, s, j := noneNear(t)
	after, out := given(cfg, s, j)
	require.Equal(t, s, after, "a search is no state")
	jobs, to := sent[Job](out)
	want := match.Search{Steps: []match.Step{{Node: named('A')}, {Node: named('C')}}}
	require.Len(t, jobs, 1)
	require.Equal(t, want, jobs[0].Search)
	require.Equal(t, ids("C"), to)
	require.Equal(t, []protocol.Event{{Name: EventSearch, Peer: named('B'), Number: 7}}, out.Events)
	jobs[0].Search = match.Search{}
	require.Equal(t, j, jobs[0])
}

// visit returns the answer to the entry of a search that has come to A by way of B and C, and has
// nowhere else to go; 0 if there is none.
func visit(cfg *Config, s State, j Job, steps ...match.Step) (State, []Unmatched, Output) {
	j.Search = match.Search{Steps: append(steps, match.Step{Node: named('A')}), Unsure: j.Search.Unsure}
	after, out := given(cfg, s, j)
	answers, _ := sent[Unmatched](out)
	return after, answers, out
}

var rounds = []match.Step{{Node: named('C'), Left: true}, {Node: named('E'), Left: true}}

// How a search ends after it has come back to its first node.
func TestHowASearchEnds(t *testing.T) {
	back := func(change func(*Config, *State, *Job)) []Unmatched {
		cfg, s, j := noneNear(t)
		j.Search = match.Search{Steps: append([]match.Step{{Node: named('A')}}, rounds...)}
		change(cfg, &s, &j)
		_, out := given(cfg, s, j)
		answers, to := sent[Unmatched](out)
		for _, id := range to {
			require.Equal(t, named('B'), id)
		}
		return answers
	}
	told := func(why Why) []Unmatched { return []Unmatched{{Ticket: 7, Why: why}} }
	require.Equal(t, told(Nobody), back(func(*Config, *State, *Job) {}))
	require.Equal(t, told(Undecided), back(func(_ *Config, _ *State, j *Job) { j.Search.Unsure = true }))
	require.Equal(t, told(Limited), back(func(c *Config, _ *State, j *Job) {
		c.SeekLimit, j.Search.Steps = 2, j.Search.Steps[:2]
	}))
	require.Equal(t, told(Undecided), back(func(_ *Config, s *State, _ *Job) { s.Can.Dead = ids("F") }), "a hole")
	require.Equal(t, told(Nobody), back(func(_ *Config, s *State, _ *Job) { s.Can.Dead = ids("D") }), "a hole elsewhere")
	require.Equal(t, told(Undecided), back(func(_ *Config, s *State, _ *Job) { s.Can.Phase = can.Leaving }))
	require.Equal(t, told(Undecided), back(func(_ *Config, s *State, _ *Job) { // it lacks room
		s.Can.Self.Coord = space.Point{7, 7}
		s.Tasks.Roles = make([]reptask.Role, 64)
	}))
	require.Empty(t, back(func(_ *Config, s *State, _ *Job) { s.Can.Self.Coord = space.Point{7, 7} }), "it can")
	require.Equal(t, told(Nobody), back(func(_ *Config, s *State, j *Job) { // its cluster is too small
		s.Can.Self.Coord, j.Spec.Size, s.Tasks.Cluster = space.Point{7, 7}, 2, []reptask.Neighbour{{ID: named('A')}}
	}))
	require.Equal(t, told(Nobody), back(func(_ *Config, s *State, _ *Job) {
		s.Can.Self.Coord, s.Leaving, s.Tasks.Leaving, s.Can.Leave = space.Point{7, 7}, true, true, true
	}))
	require.Empty(t, back(func(_ *Config, _ *State, j *Job) { // the token belongs to E
		j.Search.Steps[2].Left = false
	}))
}

// A search that begins outside the region of the job cannot say that no node can run it.
func TestASearchFromOutside(t *testing.T) {
	cfg, s, j := noneNear(t)
	s.Can.Known = s.Can.Known[:1]
	s.Can.Self.Zone.High[0] = 7
	j.Adopt = true // by a node that leaves
	_, out := given(cfg, s, j)
	answers, _ := sent[Unmatched](out)
	require.Equal(t, []Unmatched{{Ticket: 7, Why: Undecided}}, answers)
}

// The way back leads to a node that has left: the search may have missed nodes behind it.
func TestTheWayBackIsCut(t *testing.T) {
	cfg, s, j := noneNear(t)
	steps := append(append([]match.Step{}, rounds...), match.Step{Node: named('D')})
	_, answers, out := visit(cfg, s, j, steps...)
	require.Empty(t, answers)
	_, to := sent[Job](out)
	require.Equal(t, ids("D"), to)
	s.Can.Dead = ids("D")
	_, answers, _ = visit(cfg, s, j, steps...)
	require.Equal(t, []Unmatched{{Ticket: 7, Why: Undecided}}, answers)
}

// The node that is found owns the job, and remembers the search while the job is open. If all
// refuse, the search goes on from there.
func TestARefusedSearchGoesOn(t *testing.T) {
	cfg, s, j := noneNear(t)
	s.Can.Self.Coord = space.Point{7, 7}
	found, answers, out := visit(cfg, s, j, match.Step{Node: named('D')})
	require.Empty(t, answers)
	owned, to := sent[Owned](out)
	require.Equal(t, []Owned{{Ticket: 7, Number: 1}}, owned)
	require.Equal(t, ids("B"), to)
	search := match.Search{Steps: []match.Step{{Node: named('D')}, {Node: named('A')}}}
	require.Equal(t, []Client{{Number: 1, Entry: named('B'), Ticket: 7, Search: search}}, found.Clients)

	found.Tasks.Owned[0].Rep = named('A')
	refuse := reptask.Message{Kind: reptask.GiveUp, Attempt: found.Tasks.Owned[0].Attempt(), Reason: reptask.Refused}
	refused, out := Step(cfg, found, Input{Kind: protocol.Deliver, From: named('A'), Message: TaskMessage{refuse}})
	require.Empty(t, refused.Clients)
	require.Len(t, found.Clients, 1, "Step changed the state that it was given")
	jobs, to := sent[Job](out)
	require.Equal(t, ids("C"), to)
	search.Steps, search.Unsure = append(search.Steps, match.Step{Node: named('C')}), true
	want := j
	want.Search = search
	require.Equal(t, []Job{want}, jobs)
}

// The heir of an orphan names nodes that can run it; if there is no such node, its representative.
func TestTheCandidatesOfAnOrphan(t *testing.T) {
	cfg, s := square(t)
	j := Job{Entry: named('Z'), Submitted: 3, Orphan: reptask.Job{Number: 3, Owner: named('Y')}, Spec: asks(4, 4)}
	heir := func(s State) []Heir {
		_, out := given(cfg, s, j)
		heirs, to := sent[Heir](out)
		require.Equal(t, ids("Z"), to)
		return heirs
	}
	require.Equal(t, []Heir{{Orphan: j.Orphan, Candidates: ids("AEFG")}}, heir(s))
	s.Can.Known, s.Can.Self.Coord = s.Can.Known[:1], space.Point{3, 9}
	require.Equal(t, []Heir{{Orphan: j.Orphan, Candidates: ids("Z")}}, heir(s))
}

// The entry is notified with an event.
func TestTheEntryLearnsWhy(t *testing.T) {
	cfg, s := square(t)
	for why, detail := range []string{"nobody can run it", "not found within the limit", "undecided"} {
		_, out := Step(cfg, s, Input{
			Kind: protocol.Deliver, From: named('C'), Message: Unmatched{Ticket: 7, Why: Why(why)},
		})
		event := protocol.Event{Name: EventUnmatched, Peer: named('C'), Number: 7, Detail: detail}
		require.Equal(t, []protocol.Event{event}, out.Events)
	}
}

// A search that belongs to another node is ignored.
func TestASearchThatIsElsewhere(t *testing.T) {
	cfg, s, j := noneNear(t)
	j.Search = match.Begin(named('C'))
	after, out := given(cfg, s, j)
	require.Equal(t, s, after)
	ignored := protocol.Event{Name: EventIgnore, Peer: named('Z'), Detail: "a search that is elsewhere"}
	require.Equal(t, Output{Events: []protocol.Event{ignored}}, out)
}

// A search that began outside the region and found a way in is complete, and so is a search that
// has nowhere to go from the only zone of the region.
func TestASearchOfTheWholeRegion(t *testing.T) {
	nobody := []Unmatched{{Ticket: 7, Why: Nobody}}
	cfg, s, j := noneNear(t)
	s.Can.Known = s.Can.Known[:1]
	_, out := given(cfg, s, j)
	answers, _ := sent[Unmatched](out)
	require.Equal(t, nobody, answers, "A is the whole region")

	s.Can.Self.Zone.High[0] = 7
	j.Search = match.Search{Steps: []match.Step{{Node: named('A')}, {Node: named('C'), Left: true}}}
	_, out = given(cfg, s, j)
	answers, _ = sent[Unmatched](out)
	require.Equal(t, nobody, answers, "C is")
}

// A node with a limit reached takes no job that a search brings, and the search does not say that
// no node can.
func TestAFullNodeIsNoEnd(t *testing.T) {
	for _, test := range []struct {
		roles, tasks, jobs int
		takes              bool
	}{{1, 2, 4, true}, {2, 2, 4, false}, {1, 3, 4, false}, {1, 2, 5, false}, {0, 0, 0, true}} {
		cfg, s, j := noneNear(t)
		cfg.Tasks.RoleLimit, cfg.Tasks.TaskLimit, cfg.Tasks.JobLimit = 2, 3, 5
		s.Can.Self.Coord = space.Point{7, 7}
		other := func(i int) reptask.Job { return reptask.Job{Submitted: 1, Owner: named('Y'), Number: uint32(i + 1)} }
		for i := range test.roles {
			s.Tasks.Roles = append(s.Tasks.Roles, reptask.Role{Job: other(i), By: named('Y'), Owner: named('Y')})
		}
		for i := range test.tasks {
			s.Tasks.Tasks = append(s.Tasks.Tasks, reptask.Task{Job: other(i), By: named('Y'), Rep: named('Y')})
		}
		for i := range test.jobs {
			s.Tasks.Owned = append(s.Tasks.Owned, reptask.Owned{Job: other(i), By: named('Y'), Rep: named('Y')})
		}
		j.Search = match.Search{Steps: append([]match.Step{{Node: named('A')}}, rounds...)}
		_, out := given(cfg, s, j)
		answers, _ := sent[Unmatched](out)
		owned, _ := sent[Owned](out)
		require.Equal(t, test.takes, len(owned) == 1, "%+v", test)
		if !test.takes {
			require.Equal(t, []Unmatched{{Ticket: 7, Why: Undecided}}, answers, "%+v", test)
		}
	}
}

// Jobs that differ in anything that names them draw differently.
func TestTheDrawOfAJob(t *testing.T) {
	drawn := map[uint64]bool{}
	for _, j := range []Job{
		{Entry: named('B'), Ticket: 1, Submitted: 1}, {Entry: named('C'), Ticket: 1, Submitted: 1},
		{Entry: named('B'), Ticket: 2, Submitted: 1}, {Entry: named('B'), Ticket: 1, Submitted: 2},
	} {
		drawn[j.draw(named('D'))], drawn[j.draw(named('E'))] = true, true
	}
	require.Len(t, drawn, 8)
}

// A job that all candidates of its first owner refuse begins a search there, and is forgotten as
// one of its clients. Other jobs are not.
func TestARefusedJobIsSearchedFor(t *testing.T) {
	cfg, s, j := noneNear(t)
	s.Can.Self.Coord = space.Point{7, 7}
	j.Spec.Size, s.Tasks.Cluster = 2, []reptask.Neighbour{{ID: named('A')}} // too small
	former := reptask.Job{Submitted: 1, Owner: named('Y'), Number: 2}
	s.Tasks.Jobs = 1
	s.Tasks.Owned = []reptask.Owned{
		{Job: reptask.Job{Submitted: 1, Owner: named('A'), Number: 1}, By: named('A'), Rep: named('Y')},
		{Job: former, By: named('Y'), Rep: named('Y')},
	}
	kept := Client{Number: 1, Entry: named('C'), Ticket: 4}
	s.Clients = []Client{kept}
	after, out := given(cfg, s, j)
	require.Equal(t, []Client{kept}, after.Clients)
	jobs, _ := sent[Job](out)
	require.Len(t, jobs, 1)
	require.Equal(t, match.Search{Steps: []match.Step{{Node: named('A')}, {Node: named('C')}}}, jobs[0].Search)
}

// Of the jobs of this node with a client, failed ones are searched for, regardless of other jobs:
// adopted ones with the same number, before and after its own, and jobs that ended otherwise. A
// client is known while its job is open or being revoked.
func TestAClientIsKnownWhileItsJobIsOpen(t *testing.T) {
	for state := reptask.JobOpen; state <= reptask.JobFailed; state++ {
		cfg, s, j := noneNear(t)
		self := protocol.NodeID{Address: 0, Incarnation: 2}
		s.Can.Self.ID, s.Refine.ID, s.Tasks.Self = self, self, self
		owned := func(owner protocol.NodeID, number uint32, state reptask.JobState) {
			s.Tasks.Owned = append(s.Tasks.Owned, reptask.Owned{
				Job: reptask.Job{Submitted: j.Submitted, Owner: owner, Number: number}, Spec: j.Spec, State: state,
			})
		}
		owned(named('A'), 3, reptask.JobOpen) // of the earlier incarnation of this node
		owned(named('A'), 4, reptask.JobFailed)
		owned(self, 3, state)
		owned(self, 4, reptask.JobOpen)
		owned(named('Y'), 3, reptask.JobOpen)
		owned(named('Y'), 4, reptask.JobFailed)
		kept := Client{Number: 4, Entry: named('C'), Ticket: 3}
		s.Clients = []Client{{Number: 3, Entry: j.Entry, Ticket: j.Ticket}, kept}
		want := []Client{kept}
		if state <= reptask.JobRevoking {
			want = s.Clients
		}
		after, out := Step(cfg, s, Input{Kind: protocol.Deliver, From: named('C'), Message: Owned{Ticket: 1}})
		require.Equal(t, want, after.Clients, "%d", state)
		var searched []Job
		if state == reptask.JobFailed {
			j.Search = match.Search{Steps: []match.Step{{Node: self}, {Node: named('C')}}}
			searched = []Job{j}
		}
		jobs, _ := sent[Job](out)
		require.Equal(t, searched, jobs, "%d", state)
	}
}

// A search that is unsure stays so when it goes on from a node that could represent the job when it
// was found, and no longer can.
func TestARefusedSearchStaysUnsure(t *testing.T) {
	for _, unsure := range []bool{false, true} {
		cfg, s, j := noneNear(t)
		s.Can.Self.Coord = space.Point{7, 7}
		j.Search.Unsure = unsure
		found, _, _ := visit(cfg, s, j, match.Step{Node: named('D')})
		require.Equal(t, unsure, found.Clients[0].Search.Unsure)
		found.Leaving, found.Tasks.Leaving, found.Tasks.Owned[0].Rep = true, true, named('A')
		refuse := reptask.Message{Kind: reptask.GiveUp, Attempt: found.Tasks.Owned[0].Attempt(), Reason: reptask.Refused}
		_, out := Step(cfg, found, Input{Kind: protocol.Deliver, From: named('A'), Message: TaskMessage{refuse}})
		jobs, _ := sent[Job](out)
		require.Len(t, jobs, 1)
		require.Equal(t, unsure, jobs[0].Search.Unsure)
	}
}

// A search that visits a node with a full queue goes on, and is unsure from then on. The node owns
// no job for it.
func TestASearchPassesAFullNode(t *testing.T) {
	for tasks := range 3 {
		cfg, s, j := noneNear(t)
		cfg.Tasks.TaskLimit = 2
		s.Can.Self.Coord = space.Point{7, 7}
		for i := range tasks {
			job := reptask.Job{Submitted: 1, Owner: named('Y'), Number: uint32(i + 1)}
			s.Tasks.Tasks = append(s.Tasks.Tasks, reptask.Task{Job: job, By: named('Y'), Rep: named('Y')})
		}
		after, answers, out := visit(cfg, s, j, match.Step{Node: named('D')})
		require.Empty(t, answers)
		owned, _ := sent[Owned](out)
		jobs, to := sent[Job](out)
		if tasks < cfg.Tasks.TaskLimit {
			require.Equal(t, []Owned{{Ticket: 7, Number: 1}}, owned)
			require.Empty(t, jobs)
			continue
		}
		require.Empty(t, owned)
		require.Equal(t, s, after)
		require.Equal(t, ids("C"), to)
		require.True(t, jobs[0].Search.Unsure)
	}
}
