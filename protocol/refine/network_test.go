package refine_test

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// The latencies of the tests, in microseconds.
const (
	diameter = 100
	nearby   = 10
	distant  = 1000
)

type (
	core    = protocol.Core[refine.State, refine.Message, refine.Command]
	process = drivetest.Process[refine.State, refine.Message, refine.Command]
)

// network is a network of refinement nodes, with the properties that hold in it.
type network struct {
	*drivetest.Network[refine.State, refine.Message, refine.Command]
	cfg   *refine.Config
	far   map[[2]protocol.Address]bool // pairs that are too far from each other, the smaller address first
	drift bool                         // latencies have changed since they were measured
}

func self(s refine.State) protocol.NodeID { return s.ID }

func newNetwork(cfg *refine.Config, nodes int) *network {
	w := &network{
		Network: drivetest.New(core(&refine.Core{Config: *cfg}), self),
		cfg:     cfg,
		far:     map[[2]protocol.Address]bool{},
	}
	w.Ended = func(s refine.State) bool { return s.Departed }
	w.Lingers = true
	w.Latency = w.latency
	w.OnStep = func(*process) { w.checkAlways() }
	w.OnEvent = func(p *process, e protocol.Event) {
		if e.Name == refine.EventRemoved && w.Running(e.Peer) {
			w.Violated("RemovedIsGone: %v removed %v, which runs", p.ID(), e.Peer)
		}
	}
	for i := range nodes {
		w.Add(refine.New(protocol.Address(i)))
	}
	return w
}

// startAll begins the first incarnations of all nodes.
func (w *network) startAll() {
	for _, p := range w.Nodes {
		w.Start(p)
	}
}

// setFar says whether two addresses are too far from each other.
func (w *network) setFar(a, b protocol.Address, far bool) {
	w.far[[2]protocol.Address{min(a, b), max(a, b)}] = far
}

func (w *network) latency(a, b protocol.Address) uint32 {
	if w.far[[2]protocol.Address{min(a, b), max(a, b)}] {
		return distant
	}
	return nearby
}

// clusters returns all clusters in a node's state.
func clusters(s *refine.State) []refine.Cluster {
	all := s.Joined()
	if own, ok := s.Own(); ok {
		all = append(all, own)
	}
	return all
}

// checkAlways checks what is true in every state.
func (w *network) checkAlways() {
	for _, p := range w.Live() {
		s := p.State()
		if n := 1 + len(s.Joined()); n > w.cfg.MembershipBound {
			w.Violated("MembershipBound: %v is in %d clusters", s.ID, n)
		}
		for _, c := range clusters(&s) {
			w.checkCluster(s.ID, c)
		}
		if best, ok := s.Advertised(); ok && !slices.Contains(best.Members, s.ID) {
			w.Violated("Advertises: %v advertises a cluster that it is not in", s.ID)
		}
	}
}

func (w *network) checkCluster(id protocol.NodeID, c refine.Cluster) {
	if len(c.Members) > w.cfg.SizeBound {
		w.Violated("SizeBound: %v has a cluster of %d", id, len(c.Members))
	}
	for i, a := range c.Members {
		for _, b := range c.Members[:i] {
			if !w.drift && w.latency(a.Address, b.Address) > w.cfg.DiameterMicros {
				w.Violated("Measured: %v and %v are together in the cluster of %v", a, b, c.Head)
			}
		}
	}
}

// checkQuiescent checks what is true when nothing is left to do.
func (w *network) checkQuiescent() {
	for _, p := range w.Live() {
		s := p.State()
		if own, ok := s.Own(); ok {
			for _, id := range own.Members {
				if id != s.ID && !(w.Running(id) && joined(w.At(id).State(), own)) {
					w.Violated("Agree: %v is in the cluster of %v and does not know", id, s.ID)
				}
			}
		}
		for _, c := range s.Joined() {
			if !w.Running(c.Head) || !same(c, w.At(c.Head).State()) {
				w.Violated("Agree: %v counts itself as a member of %v", s.ID, c.Head)
			}
		}
		for _, t := range s.Slots {
			if t.Stage != refine.Committed {
				w.Violated("NobodyStuck: %v waits for %v", s.ID, t.Head)
			}
		}
		if s.Head != refine.HeadIdle && s.Head != refine.HeadSteady {
			w.Violated("NobodyStuck: %v is in %v", s.ID, s.Head)
		}
	}
}

func same(c refine.Cluster, head refine.State) bool {
	own, ok := head.Own()
	return ok && own.Round == c.Round && slices.Equal(own.Members, c.Members)
}

func joined(s refine.State, own refine.Cluster) bool {
	return slices.ContainsFunc(s.Joined(), func(c refine.Cluster) bool {
		return c.Head == own.Head && c.Round == own.Round && slices.Equal(c.Members, own.Members)
	})
}

// settle runs a fair schedule until the network is quiescent: a failure is noticed, timers fire
// when they are due, all nodes give signs of life. Nodes that have nothing else to do try again. It
// reports whether the network became quiescent.
func (w *network) settle() bool {
	kinds := []protocol.TimerKind{
		refine.MissedTimer, refine.MeasureTimer, refine.CollectTimer, refine.WaitTimer, refine.KeepTimer,
	}
	fireAll := func(kind protocol.TimerKind) {
		for _, p := range w.Live() {
			w.FireAll(p, func(t protocol.Timer) bool { return t.Kind == kind && w.mayFire(t) }, nil)
		}
		w.Drain()
	}
	const rounds = 200
	stable := true
	return w.Settle(rounds, func() {
		stable = stable && w.Settle(rounds, func() {
			for _, kind := range kinds {
				fireAll(kind)
			}
		})
		if stable {
			fireAll(refine.RetryTimer)
		}
	}) && stable
}

// mayFire reports whether a timer may fire: no timer suspects a live node.
func (w *network) mayFire(t protocol.Timer) bool {
	return t.Kind != refine.MissedTimer || !w.Running(t.Peer)
}

// rest lets the network become quiescent and checks it.
func (w *network) rest() {
	if !w.settle() {
		w.Violated("Converges: the network does not become quiescent")
	}
	w.checkAlways()
	w.checkQuiescent()
}
