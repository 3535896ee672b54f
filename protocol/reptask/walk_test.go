package reptask_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Random walks go where the checker does not reach: up to eight nodes with clusters of their own,
// up to eight jobs of any size and over-provisioning, load balancing, cancellations, messages lost,
// repeated and overtaken, timers at any moment. A failure shows the shrunk walk step by step and
// the command that repeats it (-rapid.failfile=…, or -rapid.seed=…).

// In every state a node runs one task and a job one attempt, and results are of k tasks. At rest
// all jobs are done and all nodes free.
func TestWalk(t *testing.T) {
	testWalk(
		t,
		0,
		0,
		reptask.EventAccept,
		reptask.EventCancelled,
		reptask.EventFailed,
		reptask.EventRequeue,
		reptask.EventMove,
	)
}

// The same with up to two crashes, and new lives.
func TestWalkWithCrashes(t *testing.T) {
	testWalk(t, 2, 0, reptask.EventAccept, reptask.EventExpired, reptask.EventStop, reptask.EventResign)
}

// The same when live nodes are taken for failed, up to three times.
func TestWalkWithSuspicion(t *testing.T) {
	testWalk(t, 1, 3, reptask.EventAccept, reptask.EventVacant, reptask.EventStop)
}

func testWalk(t *testing.T, crashes, suspicions int, witnesses ...string) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, crashes)
		k.Suspicions = suspicions
		if k.run(func(w *world) { w.events = seen }) == nil {
			return
		}
		err := k.run(func(w *world) { w.log = func(line string) { t.Log(line) } })
		t.Fatal(err)
	})
	if testing.Short() {
		return // a few walks need not come to everything
	}
	for _, name := range witnesses {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// A walk is a run of a world written down as data: it can be drawn, shrunk and repeated.
type walk struct {
	Clusters [][]int // of each node, by address
	Jobs     []wish
	Crashes  int
	Moves    []move

	Suspicions int
}

// A wish is a job, and whether its client comes to want it no more.
type wish struct {
	Owner, Size int
	Submitted   uint64
	Over        reptask.Over
	Candidates  []int
	Cancel      bool
}

// A move is one thing that happens. What it picks from depends on the world: picks are taken
// modulo.
type move struct {
	Kind moveKind
	Pick int
}

type moveKind int

const (
	moveOldest  moveKind = iota // deliver the oldest message
	moveAny                     // deliver any message
	moveTimer                   // fire any timer that may fire
	moveSubmit                  // the next job is submitted
	moveBalance                 // some node moves an idle job
	moveCancel                  // some client cancels
	moveRepeat                  // deliver a copy of any message
	moveLose                    // lose any message
	moveCrash                   // a node fails
	moveStart                   // a node that failed starts a new life
	moveSuspect                 // any timer, that of a live peer's lease included
	moveKinds
)

func drawWalk(t *rapid.T, crashes int) *walk {
	nodes := rapid.IntRange(2, 8).Draw(t, "nodes")
	k := &walk{Crashes: crashes}
	node := rapid.IntRange(0, nodes-1)
	for range nodes {
		k.Clusters = append(k.Clusters, rapid.SliceOfNDistinct(node, 1, nodes, rapid.ID[int]).Draw(t, "cluster"))
	}
	one := rapid.Custom(func(t *rapid.T) wish {
		return wish{
			Owner: node.Draw(
				t,
				"owner",
			), Size: rapid.IntRange(1, 4).Draw(t, "size"), Submitted: rapid.Uint64Range(1, 4).Draw(t, "submitted"),
			Over: reptask.Over(
				rapid.IntRange(0, 3).Draw(t, "over"),
			), Candidates: rapid.SliceOfN(node, 1, 3).Draw(t, "candidates"),
			Cancel: rapid.IntRange(0, 4).Draw(t, "cancel") == 0,
		}
	})
	k.Jobs = rapid.SliceOfN(one, 1, 8).Draw(t, "jobs")
	// Each walk has its own mixture of moves; some faults do not happen at all.
	mixture := []moveKind{moveAny, moveAny, moveAny, moveSubmit, moveTimer}
	for kind := moveOldest; kind < moveKinds; kind++ {
		for range rapid.IntRange(0, 3).Draw(t, "weight") {
			mixture = append(mixture, kind)
		}
	}
	k.Moves = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) move {
		return move{rapid.SampledFrom(mixture).Draw(t, "kind"), rapid.IntRange(0, 1000).Draw(t, "pick")}
	}), 20, 200).Draw(t, "moves")
	return k
}

type walker struct {
	*world
	walk    *walk
	jobs    []wish
	crashes int

	suspicions int
}

// run takes the walk and returns what it broke.
func (k *walk) run(prepare func(*world)) error {
	w := &walker{world: newWorld(len(k.Clusters)), walk: k, jobs: k.Jobs, crashes: k.Crashes, suspicions: k.Suspicions}
	w.finds = true
	prepare(w.world)
	for _, p := range w.nodes {
		w.tellCluster(p)
	}
	for _, m := range k.Moves {
		if w.broken != nil {
			return w.broken
		}
		w.move(m)
	}
	for len(w.jobs) > 0 {
		w.submit()
	}
	w.note("rest")
	if !w.settle() {
		w.violated("the world does not come to rest")
	}
	if w.broken == nil {
		w.checkAtRest()
	}
	return w.broken
}

func (w *walker) tellCluster(p *process) {
	var all []reptask.Neighbour
	for _, i := range w.walk.Clusters[p.address] {
		all = append(all, reptask.Neighbour{ID: w.nodes[i].state.Self, Length: w.nodes[i].state.QueueLength()})
	}
	w.order(p, reptask.Command{Kind: reptask.CommandCluster, Cluster: all})
}

func (w *walker) submit() {
	next := w.jobs[0]
	w.jobs = w.jobs[1:]
	p := w.nodes[next.Owner]
	if !p.up {
		return
	}
	o := reptask.Command{
		Kind:      reptask.CommandSubmit,
		Submitted: next.Submitted,
		Spec:      reptask.Spec{Size: uint32(next.Size), Over: next.Over},
	}
	for _, i := range next.Candidates {
		o.Candidates = append(o.Candidates, w.nodes[i].state.Self)
	}
	w.note("submit at %v: %s", p.state.Self, reptask.CommandText(w.cfg, o))
	w.order(p, o)
}

func (w *walker) move(m move) {
	p := w.nodes[m.Pick%len(w.nodes)]
	switch m.Kind {
	case moveOldest, moveAny, moveRepeat, moveLose:
		if len(w.net) > 0 {
			w.network(m.Kind, m.Pick%len(w.net))
		}
	case moveTimer:
		w.timer(m.Pick, false)
	case moveSubmit:
		if len(w.jobs) > 0 {
			w.submit()
		}
	case moveBalance:
		if idle := p.state.Idle(); p.up && len(idle) > 0 {
			target := w.nodes[m.Pick/len(w.nodes)%len(w.nodes)].state.Self
			w.note("move at %v", p.state.Self)
			w.order(p, reptask.Command{Kind: reptask.CommandMove, Job: idle[0].Job, Target: target})
		}
	case moveCancel:
		for _, o := range p.state.Owned {
			if i := int(o.Job.Number) - 1; p.up && o.State == reptask.JobOpen && i < len(w.walk.Jobs) && w.walk.Jobs[i].Cancel {
				w.order(p, reptask.Command{Kind: reptask.CommandCancel, Number: o.Job.Number, Owner: o.Job.Owner})
				return
			}
		}
	case moveCrash:
		if p.up && w.crashes > 0 {
			w.crashes--
			w.crash(p)
		}
	case moveSuspect:
		if w.suspicions > 0 {
			w.suspicions--
			w.timer(m.Pick, true)
		}
	case moveStart:
		if !p.up {
			w.start(p)
			w.tellCluster(p)
		}
	}
}

func (w *walker) network(kind moveKind, i int) {
	switch kind {
	case moveOldest:
		w.deliver(0)
	case moveAny:
		w.deliver(i)
	case moveRepeat:
		w.note("a copy:")
		w.hand(w.net[i])
	case moveLose:
		w.note("lose %s", reptask.MessageText(w.cfg, w.net[i].Message))
		w.net = slices.Delete(w.net, i, i+1)
	}
}

// timer fires one of the pending timers that may fire. To suspect, the lease of a live peer may run
// out too.
func (w *walker) timer(pick int, suspect bool) {
	type pending struct {
		p *process
		t protocol.Timer
	}
	var all []pending
	for _, p := range w.nodes {
		for _, t := range p.timers {
			if w.due(p, t) || suspect && t.Kind == reptask.LeaseTimer {
				all = append(all, pending{p, t})
			}
		}
	}
	if len(all) > 0 {
		chosen := all[pick%len(all)]
		w.fire(chosen.p, chosen.t)
	}
}
