package reptask_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func name(letter byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(letter - 'A'), Incarnation: 1}
}

// site is a node with a cluster: its coordinate is (speed, nodes), free of the nodes are idle.
func site(id byte, speed, nodes, free int32, queues ...reptask.Queue) reptask.Site {
	return reptask.Site{
		ID:         name(id),
		Coordinate: space.Point{speed, nodes},
		Residue:    space.Point{speed, free},
		Queues:     queues,
	}
}

func queue(node byte, length uint32) reptask.Queue {
	return reptask.Queue{Node: name(node), Length: length}
}

// waiting is a job that asks for (speed, nodes), with its dependents in queues.
func waiting(number uint32, speed, nodes int32, dependents ...reptask.Waiting) reptask.Idle {
	return reptask.Idle{
		Job:         reptask.Job{Submitted: uint64(number), Owner: name('Z'), Number: number},
		Requirement: space.Point{speed, nodes},
		Waiting:     dependents,
	}
}

func behind(host byte, ahead uint32) reptask.Waiting {
	return reptask.Waiting{Host: name(host), Ahead: ahead}
}

func TestDLB(t *testing.T) {
	tests := []struct {
		name  string
		idle  []reptask.Idle
		sites []reptask.Site
		want  string // number of the job and the target; empty: none moves
	}{
		{"no job", nil, []reptask.Site{site('B', 9, 9, 9)}, ""},
		{"no site", []reptask.Idle{waiting(1, 1, 1)}, nil, ""},
		{"exactly enough", []reptask.Idle{waiting(1, 4, 2)}, []reptask.Site{site('B', 4, 2, 2)}, "1 B"},
		{"too slow", []reptask.Idle{waiting(1, 4, 2)}, []reptask.Site{site('B', 3, 9, 9)}, ""},
		{"capable and busy", []reptask.Idle{waiting(1, 4, 2)}, []reptask.Site{site('B', 4, 2, 1)}, ""},
		{"not to itself", []reptask.Idle{waiting(1, 4, 2)}, []reptask.Site{site('A', 4, 2, 2)}, ""},
		{
			"the minimal site",
			[]reptask.Idle{waiting(1, 1, 1)},
			[]reptask.Site{site('B', 9, 9, 9), site('C', 5, 5, 5), site('D', 7, 7, 7)},
			"1 C",
		},
		{
			"the first job that can",
			[]reptask.Idle{waiting(1, 9, 9), waiting(2, 1, 1), waiting(3, 1, 1)},
			[]reptask.Site{site('B', 5, 5, 5)},
			"2 B",
		},
		{
			"its own dependent does not count",
			[]reptask.Idle{waiting(1, 4, 2, behind('C', 0))},
			[]reptask.Site{site('B', 4, 2, 1, queue('B', 0), queue('C', 1))},
			"1 B",
		},
		{
			"another's does",
			[]reptask.Idle{waiting(1, 4, 2, behind('D', 0))},
			[]reptask.Site{site('B', 4, 2, 1, queue('B', 0), queue('C', 1))},
			"",
		},
		{
			"and so does one behind another",
			[]reptask.Idle{waiting(1, 4, 2, behind('C', 1))},
			[]reptask.Site{site('B', 4, 2, 1, queue('B', 0), queue('C', 2))},
			"",
		},
	}
	for _, test := range tests {
		o, ok := reptask.DLB(testConfig(), name('A'), test.idle, test.sites)
		assert.Equal(t, test.want, moved(o, ok), test.name)
	}
}

func moved(o reptask.Command, ok bool) string {
	if !ok || o.Kind != reptask.CommandMove {
		return ""
	}
	return string(rune('0'+o.Job.Number)) + " " + o.Target.String()
}

func TestQB(t *testing.T) {
	long := []reptask.Waiting{behind('A', 3), behind('C', 3)} // averageQP is 3
	tests := []struct {
		name  string
		idle  []reptask.Idle
		sites []reptask.Site
		want  string
	}{
		{
			"a shorter queue",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]reptask.Site{site('B', 1, 2, 0, queue('B', 1))},
			"1 B",
		},
		{
			"not shorter by more than one",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]reptask.Site{site('B', 1, 2, 0, queue('B', 2))},
			"",
		},
		{
			"an average between",
			[]reptask.Idle{waiting(1, 1, 2, behind('A', 3), behind('C', 4))},
			[]reptask.Site{site('B', 1, 2, 0, queue('B', 2))},
			"1 B",
		},
		{
			"the largest counts",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]reptask.Site{site('B', 1, 2, 0, queue('B', 0), queue('D', 2))},
			"",
		},
		{"incapable", []reptask.Idle{waiting(1, 1, 3, long...)}, []reptask.Site{site('B', 1, 2, 2, queue('B', 0))}, ""},
		{
			"its own dependent is not in its way",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]reptask.Site{site('B', 1, 2, 0, queue('C', 2))},
			"1 B",
		},
		{
			"nobody waits there",
			[]reptask.Idle{waiting(1, 1, 2, behind('A', 1), behind('C', 2))},
			[]reptask.Site{site('B', 1, 2, 0, queue('B', 0))},
			"1 B",
		},
		{"a job without dependents", []reptask.Idle{waiting(1, 1, 2)}, []reptask.Site{site('B', 1, 2, 0)}, ""},
		{
			"the next job",
			[]reptask.Idle{waiting(1, 1, 2, behind('A', 1)), waiting(2, 1, 2, long...)},
			[]reptask.Site{site('B', 1, 2, 0, queue('B', 1))},
			"2 B",
		},
	}
	for _, test := range tests {
		o, ok := reptask.QB(testConfig(), name('A'), test.idle, test.sites)
		assert.Equal(t, test.want, moved(o, ok), test.name)
	}
}

func drawIdle(t *rapid.T) []reptask.Idle {
	var all []reptask.Idle
	for i := range rapid.IntRange(0, 3).Draw(t, "jobs") {
		j := waiting(uint32(i+1), rapid.Int32Range(0, 4).Draw(t, "speed"), rapid.Int32Range(1, 4).Draw(t, "nodes"))
		for h := range rapid.IntRange(0, 4).Draw(t, "dependents") {
			j.Waiting = append(j.Waiting, behind('A'+byte(h), rapid.Uint32Range(0, 12).Draw(t, "ahead")))
		}
		all = append(all, j)
	}
	return all
}

func drawSites(t *rapid.T) []reptask.Site {
	var all []reptask.Site
	for i := range rapid.IntRange(0, 5).Draw(t, "sites") {
		nodes := rapid.Int32Range(1, 4).Draw(t, "nodes")
		m := site('A'+byte(i), rapid.Int32Range(0, 4).Draw(t, "speed"), nodes, rapid.Int32Range(0, nodes).Draw(t, "free"))
		for q := range nodes {
			m.Queues = append(m.Queues, queue('A'+byte(i)+byte(q), rapid.Uint32Range(0, 4).Draw(t, "length")))
		}
		all = append(all, m)
	}
	return all
}

// The conditions of both algorithms on a site, written again with fractions.
func plainly(j reptask.Idle, m reptask.Site, qb bool) bool {
	own := func(id protocol.NodeID) bool {
		return slices.ContainsFunc(j.Waiting, func(w reptask.Waiting) bool { return w.Host == id })
	}
	free, maxQL := m.Residue, int64(0)
	for _, q := range m.Queues {
		length := int64(q.Length)
		if own(q.Node) && length > 0 {
			length--
			if length == 0 {
				free[1]++
			}
		}
		maxQL = max(maxQL, length)
	}
	if !qb {
		return j.Requirement[0] <= free[0] && j.Requirement[1] <= free[1]
	}
	if len(j.Waiting) == 0 || j.Requirement[0] > m.Coordinate[0] || j.Requirement[1] > m.Coordinate[1] {
		return false
	}
	average := new(big.Rat)
	for _, w := range j.Waiting {
		average.Add(average, big.NewRat(int64(w.Ahead), int64(len(j.Waiting))))
	}
	return big.NewRat(maxQL, 1).Cmp(average.Sub(average, big.NewRat(1, 1))) < 0
}

// The oldest job that any site fits moves to a site that fits it and that no other fitting site is
// below.
func TestBalanceAgainstPlainWords(t *testing.T) {
	for _, qb := range []bool{false, true} {
		happened := 0
		rapid.Check(t, func(t *rapid.T) {
			idle, sites := drawIdle(t), drawSites(t)
			algorithm := reptask.DLB
			if qb {
				algorithm = reptask.QB
			}
			o, ok := algorithm(testConfig(), name('Y'), idle, sites)
			for _, j := range idle {
				fitting := slices.DeleteFunc(slices.Clone(sites), func(m reptask.Site) bool { return !plainly(j, m, qb) })
				if len(fitting) == 0 {
					continue
				}
				require.True(t, ok)
				require.Equal(t, j.Job, o.Job)
				i := slices.IndexFunc(fitting, func(m reptask.Site) bool { return m.ID == o.Target })
				require.GreaterOrEqual(t, i, 0, "the target fits")
				for _, m := range fitting {
					below := m.Coordinate[0] < fitting[i].Coordinate[0] && m.Coordinate[1] < fitting[i].Coordinate[1]
					require.False(t, below, "%v is below %v", m.ID, o.Target)
				}
				happened++
				return
			}
			require.False(t, ok)
		})
		require.Positive(t, happened, "jobs that move")
	}
}

// Jobs without a preference between sites spread over them.
func TestTiesSpread(t *testing.T) {
	sites := []reptask.Site{site('B', 4, 4, 4), site('C', 4, 4, 4), site('D', 4, 4, 4)}
	count := map[protocol.NodeID]int{}
	for i := range uint32(300) {
		o, ok := reptask.DLB(testConfig(), name('A'), []reptask.Idle{waiting(i+1, 1, 1)}, sites)
		require.True(t, ok)
		count[o.Target]++
	}
	for _, m := range sites {
		assert.Greater(t, count[m.ID], 60, "of 300 jobs at %v", m.ID)
	}
}

// A site is below another only if it is so in every dimension, that of the cluster included. Of two
// sites of which neither is below the other, each gets jobs.
func TestNeitherIsBelow(t *testing.T) {
	count := map[protocol.NodeID]int{}
	for i := range uint32(50) {
		o, ok := reptask.DLB(
			testConfig(), name('A'), []reptask.Idle{waiting(i+1, 1, 1)}, []reptask.Site{site('B', 1, 9, 9), site('C', 2, 2, 2)},
		)
		require.True(t, ok)
		count[o.Target]++
	}
	assert.Len(t, count, 2)
}

// A grid without coordinates balances, too: every site fits. One in which all coordinates describe
// the node has none that counts free nodes.
func TestBalanceWithoutTheCluster(t *testing.T) {
	idle := []reptask.Idle{waiting(1, 1, 1, behind('C', 0))}
	sites := []reptask.Site{site('B', 1, 1, 1, queue('C', 1))}
	for _, dims := range []int{0, space.MaxDimensions} {
		cfg := reptask.DefaultConfig()
		cfg.Dims, cfg.Machine = dims, dims
		o, ok := reptask.DLB(&cfg, name('A'), idle, sites)
		assert.Equal(t, "1 B", moved(o, ok), "%d dimensions", dims)
	}
}

// Balance prefers a site that is free to one with a short queue, and speaks of jobs as the node
// knows them.
func TestBalance(t *testing.T) {
	cfg := testConfig()
	s := reptask.State{Self: name('A')}
	job := reptask.Job{Submitted: 1, Owner: name('A'), Number: 1}
	role := reptask.Role{
		Job:   job,
		Epoch: 1,
		Spec:  reptask.Spec{Size: 2, Requirement: space.Point{1, 2}},
		Members: []reptask.Member{
			{Host: name('A')}, {Host: name('C'), Position: 4}, {Host: name('D'), State: reptask.MemberGone, Position: 9},
		},
	}
	older := reptask.Task{Job: reptask.Job{Owner: name('B'), Number: 1}, Rep: name('B')}
	s.Tasks = []reptask.Task{older, {Job: job, Epoch: 1, Rep: name('A')}}
	s.Roles = []reptask.Role{role}
	hosts := []reptask.Waiting{behind('A', 1), behind('C', 4)}
	require.Equal(t, []reptask.Idle{{Job: job, Requirement: role.Spec.Requirement, Waiting: hosts}}, s.Idle())

	sites := []reptask.Site{site('B', 2, 2, 0, queue('B', 1)), site('E', 3, 3, 2, queue('E', 1))}
	o, ok := reptask.Balance(cfg, &s, sites)
	assert.Equal(t, "1 E", moved(o, ok), "E can run it at once")
	o, ok = reptask.Balance(cfg, &s, sites[:1])
	assert.Equal(t, "1 B", moved(o, ok), "B has a shorter queue: 1 < 5/2 - 1")
	s.Roles[0].Moved = true
	assert.Empty(t, s.Idle(), "no job moves twice")
	s.Roles[0].Moved, s.Roles[0].Phase = false, reptask.Started
	assert.Empty(t, s.Idle(), "no job moves that was decided")
}
