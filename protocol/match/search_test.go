package match_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/space"
)

// grid is a map that arose by joins, and a job.
type grid struct {
	space   space.Space
	classes match.Classes
	nodes   []can.State
	goal    match.Goal
}

// drawGrid draws a map of up to 30 nodes in up to four dimensions. Few values make zones that touch
// in many ways, and jobs that no node or only a far one can run.
func drawGrid(t *rapid.T) *grid {
	const side = 12
	chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "grid"), 0))
	dims := 1 + chance.IntN(4)
	virtual := 0
	if dims > 1 && chance.IntN(2) == 0 {
		virtual = 1
	}
	s, err := space.New(virtual, slices.Repeat([]int32{side}, dims)...)
	require.NoError(t, err)
	g := &grid{space: s}
	for k := range dims {
		g.classes[k] = []match.Class{match.AtLeast, match.AtLeast, match.AtLeast, match.Equal, match.Ignored}[chance.IntN(5)]
	}
	if virtual > 0 {
		g.classes[dims-1] = match.Ignored
	}
	even := chance.IntN(2) == 0 // otherwise nodes are large in some dimensions and small in the others
	point := func() (p space.Point) {
		left := int32(side)
		for k := range dims {
			p[k] = chance.Int32N(side)
			if !even {
				p[k] = chance.Int32N(max(left, 1))
				left -= p[k]
			}
		}
		return p
	}
	cfg := can.DefaultConfig(s)
	nodes := 1 + chance.IntN([]int{8, 30, 30, 30}[dims-1])
	for _, f := range founders.New(&cfg, nodes, func(int) space.Point { return point() }) {
		g.nodes = append(g.nodes, f.State)
	}
	requirement := point()
	g.goal = match.NewGoal(&g.classes, &g.space, requirement)
	return g
}

// checkGrids checks something on many drawn maps.
func checkGrids(t *testing.T, check func(t *rapid.T, g *grid)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		for range 30 {
			check(t, drawGrid(t))
		}
	})
}

func (g *grid) able(i int) bool { return g.goal.Satisfied(&g.nodes[i].Self.Coord) }

func (g *grid) places(i int) (all []match.Place) {
	for _, r := range g.nodes[i].Direct() {
		all = append(all, match.Place{ID: r.ID, Coordinate: r.Coord, Zone: r.Zone})
	}
	return all
}

// start draws a node whose zone meets the region.
func (g *grid) start(t *rapid.T) match.Search {
	var meet []protocol.NodeID
	for _, n := range g.nodes {
		if n.Self.Zone.Overlaps(g.goal.Region) {
			meet = append(meet, n.Self.ID)
		}
	}
	return match.Begin(rapid.SampledFrom(meet).Draw(t, "start"))
}

// run moves the token until it is at a node that satisfies the goal, or the search ends.
func (g *grid) run(t require.TestingT, s match.Search, limit int) (match.Search, match.Outcome) {
	for moves := 0; ; moves++ {
		require.LessOrEqual(t, moves, 2*len(g.nodes), "the token goes round")
		at := int(s.At().Address)
		if g.able(at) {
			return s, match.Onward
		}
		before := s.Append(nil)
		next, outcome := s.Next(&g.goal, g.places(at), limit)
		require.Equal(t, before, s.Append(nil), "Next changed the search that it was given")
		if s = next; outcome != match.Onward {
			return s, outcome
		}
		r := protocol.NewReader(s.Append(nil))
		require.Equal(t, s, match.ReadSearch(r, limit))
		require.NoError(t, r.Close())
	}
}

// Complete: a search from any zone that meets the region finds a node that satisfies the
// requirement if and only if there is one, and visits only nodes whose zones meet the region, each
// at most once.
func TestTheSearchIsComplete(t *testing.T) {
	seen, grids := map[string]int{}, 0
	checkGrids(t, func(t *rapid.T, g *grid) {
		grids++
		exists, meets := false, 0
		for i := range g.nodes {
			exists = exists || g.able(i)
			if g.nodes[i].Self.Zone.Overlaps(g.goal.Region) {
				meets++
			}
		}
		s, outcome := g.run(t, g.start(t), 256)
		if exists {
			require.Equal(t, match.Onward, outcome)
			require.True(t, g.able(int(s.At().Address)))
		} else {
			require.Equal(t, match.Exhausted, outcome)
			require.Len(t, s.Steps, meets, "a node was not asked")
		}
		visited := map[protocol.NodeID]bool{}
		for _, step := range s.Steps {
			require.False(t, visited[step.Node], "%v twice", step.Node)
			visited[step.Node] = true
			require.True(t, g.nodes[step.Node.Address].Self.Zone.Overlaps(g.goal.Region))
		}
		for name, is := range map[string]bool{
			"nobody": !exists && meets > 3, "far": len(s.Steps) > 4,
		} {
			if is {
				seen[name]++
			}
		}
	})
	if grids < 1_000 {
		return // with few grids, the rarest of these may not come up
	}
	for _, name := range []string{"nobody", "far"} {
		assert.Positive(t, seen[name], name)
	}
}

// A search that comes into a dead end goes back, and finds the one node that satisfies the job.
func TestADeadEnd(t *testing.T) {
	plane, err := space.New(0, 8, 8)
	require.NoError(t, err)
	g := &grid{space: plane}
	cfg, maze := can.DefaultConfig(plane), []space.Point{{3, 7}, {3, 3}, {3, 4}, {3, 2}, {6, 7}, {6, 1}}
	for _, f := range founders.New(&cfg, len(maze), func(i int) space.Point { return maze[i] }) {
		g.nodes = append(g.nodes, f.State)
	}
	g.goal = match.NewGoal(&g.classes, &g.space, space.Point{4, 2})
	s, outcome := g.run(t, match.Begin(named('D')), 256)
	require.Equal(t, match.Onward, outcome)
	require.Equal(t, []match.Step{
		{Node: named('D')}, {Node: named('B')}, {Node: named('F'), Left: true}, {Node: named('C')}, {Node: named('E')},
	}, s.Steps)
}

// Region: a point lies in it if and only if it satisfies the requirement.
func TestTheRegionIsWhatSatisfies(t *testing.T) {
	checkGrids(t, func(t *rapid.T, g *grid) {
		for i := range g.nodes {
			at := g.nodes[i].Self.Coord
			require.Equal(t, g.able(i), g.goal.Region.Contains(at), "%v", at)
		}
	})
}

// A search that is cut short says so, and a search that may have missed a node never says that
// there is no node.
func TestASearchSaysHowItEnds(t *testing.T) {
	seen := map[match.Outcome]int{}
	checkGrids(t, func(t *rapid.T, g *grid) {
		limit, s := rapid.IntRange(1, 6).Draw(t, "limit"), g.start(t)
		s.Unsure = rapid.Bool().Draw(t, "unsure")
		unsure := s.Unsure
		full, whole := g.run(t, s, 256)
		s, outcome := g.run(t, s, limit)
		require.LessOrEqual(t, len(s.Steps), limit)
		switch outcome {
		case match.Limited:
			require.Greater(t, len(full.Steps), limit)
		case match.Exhausted, match.Undecided:
			require.Equal(t, unsure, outcome == match.Undecided)
			require.True(t, s.At().IsNobody())
			require.Equal(t, whole, outcome)
		default:
			require.Equal(t, match.Onward, whole)
		}
		seen[outcome]++
	})
	for _, o := range []match.Outcome{match.Onward, match.Exhausted, match.Limited, match.Undecided} {
		assert.Positive(t, seen[o], "%v", o)
	}
}

// place is a node on a line whose zone is one of its cells.
func place(name byte, low, high, coordinate int32) match.Place {
	z := space.Zone{Low: space.Point{low}, High: space.Point{high, 1, 1, 1, 1, 1, 1, 1}}
	return match.Place{ID: named(name), Coordinate: space.Point{coordinate}, Zone: z}
}

func named(name byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(name - 'A'), Incarnation: 1}
}

// A node that satisfies the requirement is preferred, then a near one, then the smaller identity.
func TestTheOrderOfVisits(t *testing.T) {
	line, err := space.New(0, 40)
	require.NoError(t, err)
	g := match.NewGoal(&match.Classes{}, &line, space.Point{10})
	near, far, able, below := place('E', 12, 20, 9), place('B', 20, 30, 9), place('F', 30, 40, 35), place('C', 0, 10, 4)
	wide, twin := place('G', 5, 12, 9), place('A', 12, 20, 9)
	for _, test := range []struct {
		open []match.Place
		want byte
	}{
		{[]match.Place{far, near, able, below}, 'F'},
		{[]match.Place{far, near, below}, 'E'},
		{[]match.Place{near, wide}, 'G'},
		{[]match.Place{near, twin}, 'A'},
		{[]match.Place{far, below}, 'B'},
	} {
		s := match.Begin(named('D'))
		next, outcome := s.Next(&g, test.open, 9)
		assert.Equal(t, match.Onward, outcome)
		assert.Equal(t, named(test.want), next.At(), "%c", test.want)
	}
}

// Impossible states of a search are refused.
func TestForgedSearches(t *testing.T) {
	step := func(name byte, left bool) match.Step { return match.Step{Node: named(name), Left: left} }
	for name, s := range map[string]match.Search{
		"twice":           {Steps: []match.Step{step('A', false), step('B', true), step('B', false)}},
		"ended":           {Steps: []match.Step{step('A', true)}},
		"too many visits": {Steps: []match.Step{step('A', false), step('B', true), step('C', false), step('D', false)}},
		"unsure of none":  {Unsure: true},
	} {
		r := protocol.NewReader(s.Append(nil))
		match.ReadSearch(r, 3)
		assert.ErrorIs(t, r.Close(), protocol.ErrEncoding, name)
	}
	for _, s := range []match.Search{{}, {Steps: []match.Step{step('A', false), step('B', true), step('C', false)}}} {
		r := protocol.NewReader(s.Append(nil))
		assert.Equal(t, s, match.ReadSearch(r, 3))
		assert.NoError(t, r.Close())
		assert.Equal(t, len(s.Steps) > 0, s.On())
	}
}
