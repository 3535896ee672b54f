package peer

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/space"
)

// predicting returns the node A, which is the root of a tree and has the child B, with candidates
// of its cluster.
func predicting(t *testing.T, candidates ...refine.Candidate) (*Config, State) {
	t.Helper()
	sp, err := space.New(0, 8)
	require.NoError(t, err)
	cfg := DefaultConfig(sp, 2, 5, 100)
	cfg.Predicts = true
	require.NoError(t, cfg.Validate())
	s, _ := Step(&cfg, New(0, space.Point{2}), Input{Kind: protocol.Start})
	s.Refine.Candidates = candidates
	s.Tree = &dtm.State{
		ID: s.ID(), Phase: dtm.Member, Version: 1,
		Branches: []dtm.Branch{{Child: dtm.Child{Host: named('B'), Length: 10}, Acked: 1}},
		Links:    []dtm.Link{{Peer: named('B')}},
	}
	return &cfg, s
}

// reported is B's report to A of hosts that are near.
func reported(names string) Input {
	var labels []dtm.Label
	for _, name := range names {
		labels = append(labels, dtm.Label{{Host: named(byte(name)), Length: 10}, {Host: named('A')}})
	}
	return Input{
		Kind: protocol.Deliver, From: named('B'), Message: TreeMessage{dtm.Aggregate{Version: 1, Labels: labels}},
	}
}

func candidate(name byte, status refine.Status) refine.Candidate {
	return refine.Candidate{ID: named(name), Status: status}
}

// collects reports whether a step restarts the time in which the head waits for candidates.
func collects(out Output) bool {
	timer := TimerOf(RefineLayer, protocol.Timer{Kind: refine.CollectTimer})
	return slices.ContainsFunc(out.Set, func(s protocol.SetTimer) bool { return s.Timer == timer })
}

// eventsOf lists the events of one layer.
func eventsOf(of Layer, out Output) (all []protocol.Event) {
	for _, e := range out.Events {
		if strings.HasPrefix(e.Name, of.String()+":") {
			all = append(all, e)
		}
	}
	return all
}

// The predictions of the tree become the candidates. Known ones are not asked again, unless they
// were struck off, and nothing is collected when no candidate is added.
func TestPredictionsBecomeCandidates(t *testing.T) {
	for _, test := range []struct {
		why      string
		before   []refine.Candidate
		report   string
		after    []refine.Candidate
		collects bool
	}{
		{"new ones", nil, "BC", []refine.Candidate{{ID: named('B')}, {ID: named('C')}}, true},
		{
			"the answer of a known one counts",
			[]refine.Candidate{candidate('B', refine.Denied)}, "BC",
			[]refine.Candidate{candidate('B', refine.Denied), {ID: named('C')}}, true,
		},
		{
			"none is added",
			[]refine.Candidate{candidate('B', refine.Denied)}, "B",
			[]refine.Candidate{candidate('B', refine.Denied)}, false,
		},
		{
			"others are struck off",
			[]refine.Candidate{candidate('B', refine.Member), candidate('C', refine.Member), candidate('D', refine.Fresh)}, "B",
			[]refine.Candidate{candidate('B', refine.Member), candidate('C', refine.Dropped)}, false,
		},
		{
			"one is predicted again",
			[]refine.Candidate{candidate('B', refine.Dropped)}, "B",
			[]refine.Candidate{candidate('B', refine.Member)}, true,
		},
		{
			"none is struck off twice, which would be a reason to ask others again",
			[]refine.Candidate{candidate('B', refine.Denied), candidate('C', refine.Dropped)}, "B",
			[]refine.Candidate{candidate('B', refine.Denied), candidate('C', refine.Dropped)}, false,
		},
	} {
		t.Run(test.why, func(t *testing.T) {
			cfg, s := predicting(t, test.before...)
			after, out := Step(cfg, s, reported(test.report))
			require.Equal(t, test.after, after.Refine.Candidates)
			require.Equal(t, test.collects, collects(out))
		})
	}
}

// A node predicts as many candidates as its cluster has places for others, and none without a tree.
func TestHowManyArePredicted(t *testing.T) {
	cfg, s := predicting(t)
	s, _ = Step(cfg, s, reported("BCDE"))
	for size, want := range map[int]int{1: 0, 2: 1, 4: 3, 5: 4, 6: 4} {
		cfg.Refine.SizeBound = size
		require.Len(t, Predicted(cfg, &s), want)
	}
	s.Tree = nil
	require.Empty(t, Predicted(cfg, &s))
}

// A leaving node looks for no candidates, even if it still gets messages of the tree.
func TestALeaverPredictsNothing(t *testing.T) {
	cfg, s := predicting(t)
	s, _ = Step(cfg, s, commanded(Command{Kind: CommandLeave}))
	require.Equal(t, dtm.Member, s.Tree.Phase)
	after, out := Step(cfg, s, reported("BC"))
	require.Len(t, Predicted(cfg, &after), 2)
	require.Empty(t, eventsOf(RefineLayer, out))
}

// A node that is not in the tree yet keeps its candidates. When it begins a tree, it is alone.
func TestTheTreeDecidesAboutFormerCandidates(t *testing.T) {
	former := []refine.Candidate{candidate('B', refine.Fresh)}
	cfg, s := predicting(t, former...)
	tree := dtm.New(s.ID().Address)
	tree.ID = s.ID()
	s.Tree = &tree
	after, _ := Step(cfg, s, commanded(Command{Kind: CommandTree, Near: []protocol.NodeID{named('C')}}))
	require.Equal(t, dtm.Joining, after.Tree.Phase)
	require.Equal(t, former, after.Refine.Candidates)
	after, _ = Step(cfg, s, commanded(Command{Kind: CommandTree}))
	require.Equal(t, dtm.Member, after.Tree.Phase)
	require.Empty(t, after.Refine.Candidates)
}

// Each part of a node's data about the tree makes a difference; acknowledgements do not.
func TestWhatANodeKnowsOfTheTree(t *testing.T) {
	view := func() *dtm.State {
		return &dtm.State{
			Phase: dtm.Member, Segment: dtm.Segment{Anchor: named('B'), At: 1, Length: 2},
			Above: dtm.Label{{Host: named('B')}},
			Links: []dtm.Link{{Peer: named('B'), Heard: []dtm.Label{{{Host: named('C')}}}}},
		}
	}
	for why, change := range map[string]func(*dtm.State){
		"phase": func(s *dtm.State) { s.Phase = dtm.Outside },
		"own":   func(s *dtm.State) { s.Length++ },
		"above": func(s *dtm.State) { s.Above = nil },
		"links": func(s *dtm.State) { s.Links = nil },
		"peer":  func(s *dtm.State) { s.Links[0].Peer = named('D') },
		"heard": func(s *dtm.State) { s.Links[0].Heard[0][0].At++ },
	} {
		other := view()
		change(other)
		require.False(t, sameView(view(), other), why)
		require.False(t, sameView(other, view()), why)
	}
	other := view()
	other.Version, other.Links[0].Acked = 7, true
	require.True(t, sameView(view(), other))
}

// The application's own predictions count if nodes do not predict. Otherwise only nodes that the
// node predicts, too, are asked again.
func TestWhoIsAskedAgain(t *testing.T) {
	denied := []refine.Candidate{candidate('B', refine.Denied), candidate('C', refine.Denied)}
	near := func(names string) Input { return commanded(Command{Kind: CommandNear, Near: ids(names)}) }

	cfg, s := predicting(t, denied...)
	s, _ = Step(cfg, s, reported("BC"))
	require.Equal(t, denied, s.Refine.Candidates)
	after, out := Step(cfg, s, near("BD"))
	again := []refine.Candidate{candidate('B', refine.Fresh), candidate('C', refine.Denied)}
	require.Equal(t, again, after.Refine.Candidates)
	require.True(t, collects(out))
	require.Empty(t, out.Events)
	after, out = Step(cfg, s, near("D"))
	require.Equal(t, denied, after.Refine.Candidates)
	require.False(t, collects(out))
	require.Len(t, out.Events, 1)
	require.Equal(t, "not predicted to be near", out.Events[0].Detail)

	s.Tree, cfg.Predicts = nil, false
	after, out = Step(cfg, s, near("D"))
	require.Equal(t, append(denied, refine.Candidate{ID: named('D')}), after.Refine.Candidates)
	require.Empty(t, out.Events)
}

// A latency that the tree does not wait for is for the refinement alone.
func TestTheTreeTakesItsOwnLatencies(t *testing.T) {
	cfg, s := predicting(t)
	_, out := Step(cfg, s, Input{Kind: protocol.Measured, From: named('B'), Measure: 7})
	require.Empty(t, eventsOf(TreeLayer, out))
}

// A node without a tree leaves none.
func TestLeavingWithoutATree(t *testing.T) {
	cfg, s := lone(t)
	_, out := Step(cfg, s, commanded(Command{Kind: CommandLeave}))
	for _, e := range out.Events {
		require.NotEqual(t, EventIgnore, e.Name, e.Detail)
	}
}

// All layers, including the tree, start the next incarnation together.
func TestTheTreeBeginsTheNextLife(t *testing.T) {
	cfg, _ := predicting(t)
	made := New(0, space.Point{2})
	_, out := Step(cfg, made, Input{Kind: protocol.Start})
	again, out := Step(cfg, made, Input{Kind: protocol.Restart, Persisted: out.Persist})
	require.EqualValues(t, 2, again.ID().Incarnation)
	require.Equal(t, again.ID(), again.Tree.ID)
	require.Empty(t, out.Events)
}
