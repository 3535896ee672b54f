package reptask_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/match"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

func name(letter byte) protocol.NodeID {
	return protocol.NodeID{Address: protocol.Address(letter - 'A'), Incarnation: 1}
}

// place is a site and the queues in its cluster.
type place struct {
	reptask.Site
	queues []reptask.Queue
}

// site is a node with a cluster: its coordinate is (speed, nodes). Without explicit queues, free of
// the nodes are idle.
func site(id byte, speed, nodes, free int32, queues ...reptask.Queue) place {
	if len(queues) == 0 {
		for k := range nodes {
			busy := uint32(9)
			if k < free {
				busy = 0
			}
			queues = append(queues, queue('a'+byte(k), busy))
		}
	}
	return place{reptask.Site{ID: name(id), Coordinate: space.Point{speed, nodes}}, queues}
}

func queue(node byte, length uint32) reptask.Queue {
	return reptask.Queue{Node: name(node), Length: length}
}

// waiting is a job that asks for (speed, nodes), with its dependents in queues.
func waiting(number uint32, speed, nodes int32, dependents ...reptask.Waiting) reptask.Idle {
	j := reptask.Idle{
		Job:         reptask.Job{Submitted: uint64(number), Owner: name('Z'), Number: number},
		Requirement: space.Point{speed, nodes},
		Waiting:     dependents,
		Of:          uint32(len(dependents)),
		MayDLB:      true,
		MayQB:       true,
	}
	for _, w := range dependents {
		j.Sum += uint64(w.Ahead)
	}
	return j
}

// algorithm is one of DLB, QB and Balance.
type algorithm func(
	*reptask.Config, protocol.NodeID, []reptask.Idle, []reptask.Site, reptask.View,
) (reptask.Command, bool)

// propose asks an algorithm, with a config and as the node self.
func (a algorithm) propose(cfg *reptask.Config, self byte, idle []reptask.Idle, places []place) string {
	view := reports(cfg, places)
	return moved(a(cfg, name(self), idle, view.Sites, view))
}

func reports(cfg *reptask.Config, places []place) *reptask.Reports {
	view := &reptask.Reports{Config: cfg}
	for _, p := range places {
		view.Sites, view.Queues = append(view.Sites, p.Site), append(view.Queues, p.queues)
	}
	return view
}

func behind(host byte, ahead uint32) reptask.Waiting {
	return reptask.Waiting{Host: name(host), Ahead: ahead}
}

func TestDLB(t *testing.T) {
	tests := []struct {
		name  string
		idle  []reptask.Idle
		sites []place
		want  string // number of the job and the target; empty: none moves
	}{
		{"no job", nil, []place{site('B', 9, 9, 9)}, ""},
		{"no site", []reptask.Idle{waiting(1, 1, 1)}, nil, ""},
		{"exactly enough", []reptask.Idle{waiting(1, 4, 2)}, []place{site('B', 4, 2, 2)}, "1 B"},
		{"too slow", []reptask.Idle{waiting(1, 4, 2)}, []place{site('B', 3, 9, 9)}, ""},
		{"capable and busy", []reptask.Idle{waiting(1, 4, 2)}, []place{site('B', 4, 2, 1)}, ""},
		{"not to itself", []reptask.Idle{waiting(1, 4, 2)}, []place{site('A', 4, 2, 2)}, ""},
		{
			"the minimal site",
			[]reptask.Idle{waiting(1, 1, 1)},
			[]place{site('B', 9, 9, 9), site('C', 5, 5, 5), site('D', 7, 7, 7)},
			"1 C",
		},
		{
			"the first job that can",
			[]reptask.Idle{waiting(1, 9, 9), waiting(2, 1, 1), waiting(3, 1, 1)},
			[]place{site('B', 5, 5, 5)},
			"2 B",
		},
		{
			"its own dependent does not count",
			[]reptask.Idle{waiting(1, 4, 2, behind('C', 0))},
			[]place{site('B', 4, 2, 1, queue('B', 0), queue('C', 1))},
			"1 B",
		},
		{
			"nor does one that has not arrived there",
			[]reptask.Idle{waiting(1, 4, 2, behind('C', 0))},
			[]place{site('B', 4, 2, 2, queue('B', 0), queue('C', 0))},
			"1 B",
		},
		{
			"another's does",
			[]reptask.Idle{waiting(1, 4, 2, behind('D', 0))},
			[]place{site('B', 4, 2, 1, queue('B', 0), queue('C', 1))},
			"",
		},
		{
			"and so does one behind another",
			[]reptask.Idle{waiting(1, 4, 2, behind('C', 1))},
			[]place{site('B', 4, 2, 1, queue('B', 0), queue('C', 2))},
			"",
		},
	}
	for _, test := range tests {
		got := algorithm(reptask.DLB).propose(testConfig(), 'A', test.idle, test.sites)
		assert.Equal(t, test.want, got, test.name)
	}
}

func moved(o reptask.Command, ok bool) string {
	if !ok || o.Kind != reptask.CommandMove {
		return ""
	}
	text := string(rune('0'+o.Job.Number)) + " " + o.Target.String()
	if o.By == reptask.ByQB {
		text += " by QB"
	}
	return text
}

func TestQB(t *testing.T) {
	long := []reptask.Waiting{behind('A', 3), behind('C', 3)} // averageQP is 3
	tests := []struct {
		name  string
		idle  []reptask.Idle
		sites []place
		want  string
	}{
		{
			"a shorter queue",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]place{site('B', 1, 2, 0, queue('B', 1))},
			"1 B",
		},
		{
			"not shorter by more than one",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]place{site('B', 1, 2, 0, queue('B', 2))},
			"",
		},
		{
			"an average between",
			[]reptask.Idle{waiting(1, 1, 2, behind('A', 3), behind('C', 4))},
			[]place{site('B', 1, 2, 0, queue('B', 2))},
			"1 B",
		},
		{
			"the largest counts",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]place{site('B', 1, 2, 0, queue('B', 0), queue('D', 2))},
			"",
		},
		{"incapable", []reptask.Idle{waiting(1, 1, 3, long...)}, []place{site('B', 1, 2, 2, queue('B', 0))}, ""},
		{
			"its own dependent is not in its way",
			[]reptask.Idle{waiting(1, 1, 2, long...)},
			[]place{site('B', 1, 2, 0, queue('C', 2))},
			"1 B",
		},
		{
			"nobody waits there",
			[]reptask.Idle{waiting(1, 1, 2, behind('A', 1), behind('C', 2))},
			[]place{site('B', 1, 2, 0, queue('B', 0))},
			"1 B",
		},
		{"a job without dependents", []reptask.Idle{waiting(1, 1, 2)}, []place{site('B', 1, 2, 0)}, ""},
		{
			"the next job",
			[]reptask.Idle{waiting(1, 1, 2, behind('A', 1)), waiting(2, 1, 2, long...)},
			[]place{site('B', 1, 2, 0, queue('B', 1))},
			"2 B",
		},
	}
	for _, test := range tests {
		got := algorithm(reptask.QB).propose(testConfig(), 'A', test.idle, test.sites)
		assert.Equal(t, test.want, strings.TrimSuffix(got, " by QB"), test.name)
		assert.Equal(t, got != "", strings.HasSuffix(got, " by QB"), test.name)
	}
}

// Jobs without a preference between sites spread over them.
func TestTiesSpread(t *testing.T) {
	sites := []place{site('B', 4, 4, 4), site('C', 4, 4, 4), site('D', 4, 4, 4)}
	count := map[string]int{}
	for i := range uint32(300) {
		job := waiting(1, 1, 1)
		job.Job.Submitted = uint64(i)
		count[algorithm(reptask.DLB).propose(testConfig(), 'A', []reptask.Idle{job}, sites)]++
	}
	for _, want := range []string{"1 B", "1 C", "1 D"} {
		assert.Greater(t, count[want], 60, "of 300 jobs: %s", want)
	}
}

// targets are the sites to which jobs with one requirement move, of two, by the class of the second
// dimension and the form of the order.
func targets(class match.Class, strict bool, sites ...place) string {
	cfg, got := testConfig(), ""
	cfg.Classes[1], cfg.StrictMinimum = class, strict
	for _, want := range []string{"1 B", "1 C", ""} {
		for i := range uint64(50) {
			job := waiting(1, 1, 1)
			job.Job.Submitted = i
			if algorithm(reptask.DLB).propose(cfg, 'A', []reptask.Idle{job}, sites) == want {
				got += strings.TrimPrefix(want, "1 ")
				break
			}
		}
	}
	return got
}

// A job moves to the smaller of two sites, in the dimensions that are compared by size. Of two
// sites of which neither is the smaller, each gets jobs. As published, two sites are never ordered
// if they have an equal value: that of the virtual dimension suffices.
func TestTheSmallerSite(t *testing.T) {
	small, large := site('B', 1, 9, 9), site('C', 2, 9, 9)
	assert.Equal(t, "B", targets(match.AtLeast, false, small, large))
	assert.Equal(t, "BC", targets(match.AtLeast, true, small, large), "strict: an equal value")
	assert.Equal(t, "B", targets(match.Ignored, true, small, large), "the virtual dimension does not count")
	assert.Equal(t, "B", targets(match.Ignored, false, site('B', 1, 9, 9), site('C', 2, 2, 2)))
	assert.Equal(t, "BC", targets(match.AtLeast, false, site('B', 1, 9, 9), site('C', 2, 2, 2)), "neither is smaller")
	assert.Equal(t, "B", targets(match.AtLeast, true, site('B', 1, 1, 1), site('C', 2, 2, 2)))
	assert.Equal(t, "C", targets(match.Equal, false, site('B', 1, 9, 9), site('C', 2, 1, 1)), "B is of another kind")
}

// A grid without coordinates balances, too: every site fits. If all coordinates describe the node,
// no coordinate counts free nodes: one free node is enough.
func TestBalanceWithoutTheCluster(t *testing.T) {
	idle := []reptask.Idle{waiting(1, 1, 1, behind('C', 0))}
	for _, test := range []struct {
		dims   int
		length uint32
		want   string
	}{{0, 1, "1 B"}, {0, 2, "1 B"}, {space.MaxDimensions, 1, "1 B"}, {space.MaxDimensions, 2, ""}} {
		cfg := reptask.DefaultConfig()
		cfg.Dims, cfg.Machine = test.dims, test.dims
		got := algorithm(reptask.DLB).propose(&cfg, 'A', idle, []place{site('B', 1, 1, 1, queue('C', test.length))})
		assert.Equal(t, test.want, got, "%d dimensions, a queue of %d", test.dims, test.length)
	}
}

// Balance prefers a site that is free to one with a short queue, and describes jobs by the node's
// data.
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
	want := reptask.Idle{
		Job: job, Requirement: role.Spec.Requirement, Size: 2, Sum: 5, Of: 2, MayDLB: true, MayQB: true,
		Waiting: []reptask.Waiting{behind('A', 1), behind('C', 4)},
	}
	require.Equal(t, []reptask.Idle{want}, s.Idle(cfg))

	sites := []place{site('B', 2, 2, 0, queue('B', 1)), site('E', 3, 3, 2, queue('E', 1), queue('F', 0), queue('G', 0))}
	assert.Equal(t, "1 E", algorithm(reptask.Balance).propose(cfg, 'A', s.Idle(cfg), sites), "E can run it at once")
	assert.Equal(t, "1 B by QB", algorithm(reptask.Balance).propose(cfg, 'A', s.Idle(cfg), sites[:1]),
		"B has a shorter queue: 1 < 5/2 - 1")
	kth := *cfg
	kth.KthPosition = true
	assert.Equal(t, [2]uint64{4, 1}, [2]uint64{s.Idle(&kth)[0].Sum, uint64(s.Idle(&kth)[0].Of)}, "of two, the second best")
	s.Roles[0].Phase = reptask.Started
	assert.Empty(t, s.Idle(cfg), "no job moves that was decided")
}

// Each algorithm leaves the jobs alone that only the other may move.
func TestJobsOfTheOther(t *testing.T) {
	sites := []place{site('B', 4, 4, 4)}
	job := waiting(1, 1, 1, behind('A', 9))
	for _, may := range [][2]bool{{false, false}, {false, true}, {true, false}, {true, true}} {
		job.MayDLB, job.MayQB = may[0], may[1]
		dlb := algorithm(reptask.DLB).propose(testConfig(), 'A', []reptask.Idle{job}, sites)
		qb := algorithm(reptask.QB).propose(testConfig(), 'A', []reptask.Idle{job}, sites)
		assert.Equal(t, may, [2]bool{dlb != "", qb != ""})
	}
}

// A job moves once in all, or once by each algorithm.
func TestMayMove(t *testing.T) {
	for _, test := range []struct {
		moves reptask.Moves
		each  bool
		want  string
	}{
		{reptask.Moves{}, false, "DLB QB "},
		{reptask.Moves{reptask.ByDLB: true}, false, ""},
		{reptask.Moves{reptask.ByQB: true}, false, ""},
		{reptask.Moves{}, true, "DLB QB "},
		{reptask.Moves{reptask.ByDLB: true}, true, "QB "},
		{reptask.Moves{reptask.ByQB: true}, true, "DLB "},
		{reptask.Moves{true, true}, true, ""},
	} {
		cfg := testConfig()
		cfg.MoveEach = test.each
		s := reptask.State{Self: name('A'), Roles: []reptask.Role{{Moves: test.moves}}}
		got := ""
		for _, j := range s.Idle(cfg) {
			for _, by := range []reptask.Algorithm{reptask.ByDLB, reptask.ByQB} {
				if by == reptask.ByDLB && j.MayDLB || by == reptask.ByQB && j.MayQB {
					got += by.String() + " "
				}
			}
		}
		assert.Equal(t, test.want, got, "%v, each: %v", test.moves, test.each)
		assert.Len(t, s.Idle(cfg), min(1, len(test.want)))
	}
}

// The average is over all dependents. Or the k-th best position alone counts: behind it are
// dependents that will never run.
func TestPositionsThatCount(t *testing.T) {
	for _, test := range []struct {
		kth  bool
		size uint32
		all  []uint32
		sum  uint64
		of   uint32
	}{
		{false, 2, nil, 0, 0},
		{false, 2, []uint32{7, 1, 3}, 11, 3},
		{true, 2, []uint32{7, 1, 3}, 3, 1},
		{true, 3, []uint32{7, 1, 3}, 7, 1},
		{true, 4, []uint32{7, 1, 3}, 7, 1},
		{true, 1, []uint32{7, 1, 3}, 1, 1},
		{true, 2, nil, 0, 0},
		{false, 2, []uint32{1<<32 - 1, 1<<32 - 1}, 1<<33 - 2, 2},
	} {
		cfg := testConfig()
		cfg.KthPosition = test.kth
		sum, of := reptask.Positions(cfg, test.size, slices.Clone(test.all))
		assert.Equal(t, [2]uint64{test.sum, uint64(test.of)}, [2]uint64{sum, uint64(of)}, "%+v", test)
	}
}

// A turn in which no job moves allocates nothing.
func TestNoAllocations(t *testing.T) {
	cfg := testConfig()
	idle := []reptask.Idle{waiting(1, 9, 9, behind('C', 3)), waiting(2, 1, 1, behind('C', 1))}
	view := reports(cfg, []place{site('B', 5, 5, 0), site('C', 9, 1, 0)})
	allocations := testing.AllocsPerRun(10, func() {
		_, ok := reptask.Balance(cfg, name('A'), idle, view.Sites, view)
		require.False(t, ok)
	})
	assert.Zero(t, allocations)
}
