package reptask_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Random walks go where the checker does not reach: up to eight nodes with clusters of their own,
// up to eight jobs of any size and over-provisioning, load balancing, cancellations, messages
// dropped, duplicated and reordered, timers at any moment. A failure shows the shrunk walk step by
// step and the command that repeats it (-rapid.failfile=…, or -rapid.seed=…).

// In every state a node runs one task and a job one attempt, and results are of k tasks. When the
// network is quiescent, all jobs are done and all nodes free.
func TestWalk(t *testing.T) {
	testWalk(t, 0, 0,
		reptask.EventAccept, reptask.EventCancelled, reptask.EventFailed, reptask.EventRequeue, reptask.EventMove)
}

// The same with up to two crashes, and restarts.
func TestWalkWithCrashes(t *testing.T) {
	testWalk(t, 2, 0, reptask.EventAccept, reptask.EventExpired, reptask.EventStop, reptask.EventResign)
}

// The same when live nodes are falsely suspected, up to three times.
func TestWalkWithSuspicion(t *testing.T) {
	testWalk(t, 1, 3, reptask.EventAccept, reptask.EventVacant, reptask.EventStop)
}

func testWalk(t *testing.T, crashes, suspicions int, witnesses ...string) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		k := drawWalk(t, crashes)
		k.Suspicions = suspicions
		if k.run(func(w *network) { w.Events = seen }) == nil {
			return
		}
		err := k.run(func(w *network) { w.Log = func(e drivetest.Entry) { t.Log(e) } })
		t.Fatal(err)
	})
	if testing.Short() {
		return // a few walks need not come to everything
	}
	for _, name := range witnesses {
		require.NotZero(t, seen[name], "no walk came to %q: nothing was tested", name)
	}
}

// A walk is a run of a network as data: it can be drawn, shrunk and replayed.
type walk struct {
	Clusters [][]int // of each node, by address
	Jobs     []job
	Crashes  int
	Moves    []move

	Suspicions int
}

// A job of a client, and whether the client may cancel it.
type job struct {
	Owner, Size int
	Submitted   uint64
	Over        reptask.Over
	Candidates  []int
	Cancel      bool
}

// A move is one event. The choices depend on the network: picks are taken modulo their number.
type move struct {
	Kind moveKind
	Pick int
}

type moveKind int

const (
	moveOldest    moveKind = iota // deliver the oldest message
	moveAny                       // deliver any message
	moveTimer                     // fire any timer that may fire
	moveSubmit                    // the next job is submitted
	moveBalance                   // some node moves an idle job
	moveCancel                    // some client cancels
	moveDuplicate                 // deliver a copy of any message
	moveDrop                      // drop any message
	moveCrash                     // a node fails
	moveStart                     // a node that failed starts again
	moveSuspect                   // any timer, that of a live peer's lease included
	moveKinds
)

func drawWalk(t *rapid.T, crashes int) *walk {
	nodes := rapid.IntRange(2, 8).Draw(t, "nodes")
	k := &walk{Crashes: crashes}
	node := rapid.IntRange(0, nodes-1)
	for range nodes {
		k.Clusters = append(k.Clusters, rapid.SliceOfNDistinct(node, 1, nodes, rapid.ID[int]).Draw(t, "cluster"))
	}
	one := rapid.Custom(func(t *rapid.T) job {
		return job{
			Owner:      node.Draw(t, "owner"),
			Size:       rapid.IntRange(1, 4).Draw(t, "size"),
			Submitted:  rapid.Uint64Range(1, 4).Draw(t, "submitted"),
			Over:       rapid.SampledFrom([]reptask.Over{reptask.OverNone, 1_500, 8_000, reptask.OverTotal}).Draw(t, "over"),
			Candidates: rapid.SliceOfN(node, 1, 3).Draw(t, "candidates"),
			Cancel:     rapid.IntRange(0, 4).Draw(t, "cancel") == 0,
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
	*network
	walk    *walk
	jobs    []job
	crashes int

	suspicions int
}

// run takes the walk and returns what it broke.
func (k *walk) run(prepare func(*network)) error {
	w := &walker{network: newNetwork(len(k.Clusters)), walk: k, jobs: k.Jobs, crashes: k.Crashes, suspicions: k.Suspicions}
	w.adopts = true
	prepare(w.network)
	for _, p := range w.Nodes {
		w.giveCluster(p)
	}
	for _, m := range k.Moves {
		if w.Broken != nil {
			return w.Broken
		}
		w.move(m)
	}
	for len(w.jobs) > 0 {
		w.submit()
	}
	w.Note("rest", "")
	if !w.settle() {
		w.Violated("the network does not become quiescent")
	}
	if w.Broken == nil {
		w.checkQuiescent()
	}
	return w.Broken
}

func (w *walker) giveCluster(p *process) {
	var all []reptask.Neighbour
	for _, i := range w.walk.Clusters[p.Address] {
		s := w.Nodes[i].State()
		all = append(all, reptask.Neighbour{ID: s.Self, Length: s.QueueLength()})
	}
	w.Command(p, reptask.Command{Kind: reptask.CommandCluster, Cluster: all})
}

func (w *walker) submit() {
	next := w.jobs[0]
	w.jobs = w.jobs[1:]
	p := w.Nodes[next.Owner]
	if !p.Running() {
		return
	}
	c := reptask.Command{
		Kind:      reptask.CommandSubmit,
		Submitted: next.Submitted,
		Spec:      reptask.Spec{Size: uint32(next.Size), Over: next.Over},
	}
	for _, i := range next.Candidates {
		c.Candidates = append(c.Candidates, w.Nodes[i].ID())
	}
	w.Command(p, c)
}

func (w *walker) move(m move) {
	p := w.Nodes[m.Pick%len(w.Nodes)]
	switch m.Kind {
	case moveOldest, moveAny, moveDuplicate, moveDrop:
		if len(w.InFlight) > 0 {
			w.message(m.Kind, m.Pick%len(w.InFlight))
		}
	case moveTimer:
		w.timer(m.Pick, false)
	case moveSubmit:
		if len(w.jobs) > 0 {
			w.submit()
		}
	case moveBalance:
		w.balance(p, w.Nodes[m.Pick/len(w.Nodes)%len(w.Nodes)].ID())
	case moveCancel:
		w.cancel(p)
	case moveCrash:
		if p.Running() && w.crashes > 0 {
			w.crashes--
			w.Crash(p)
		}
	case moveSuspect:
		if w.suspicions > 0 {
			w.suspicions--
			w.timer(m.Pick, true)
		}
	case moveStart:
		if !p.Running() {
			w.Start(p)
			w.giveCluster(p)
		}
	}
}

// balance moves an idle job to another node.
func (w *walker) balance(p *process, target protocol.NodeID) {
	s := p.State()
	if idle := s.Idle(w.cfg); p.Running() && len(idle) > 0 {
		w.Command(p, reptask.Command{Kind: reptask.CommandMove, Job: idle[0].Job, Target: target})
	}
}

// cancel cancels the first open job that its client may cancel.
func (w *walker) cancel(p *process) {
	for _, o := range p.State().Owned {
		i := int(o.Job.Number) - 1
		if p.Running() && o.State == reptask.JobOpen && i < len(w.walk.Jobs) && w.walk.Jobs[i].Cancel {
			w.Command(p, reptask.Command{Kind: reptask.CommandCancel, Number: o.Job.Number, Owner: o.Job.Owner})
			return
		}
	}
}

func (w *walker) message(kind moveKind, i int) {
	switch kind {
	case moveOldest:
		w.Deliver(0)
	case moveAny:
		w.Deliver(i)
	case moveDuplicate:
		w.Duplicate(i)
	case moveDrop:
		w.Lose(i)
	}
}

// timer fires one of the pending timers that may fire. With suspicion, so may the lease of a live
// peer.
func (w *walker) timer(pick int, suspect bool) {
	w.FireOne(pick, func(p *process, t protocol.Timer) bool {
		return w.mayFire(p, t) || suspect && t.Kind == reptask.LeaseTimer
	})
}
