package dtm_test

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/dtm"
)

type (
	core    = protocol.Core[dtm.State, dtm.Message, dtm.Command]
	process = drivetest.Process[dtm.State, dtm.Message, dtm.Command]
)

// network is a network of hosts, with the properties that hold in it.
type network struct {
	*drivetest.Network[dtm.State, dtm.Message, dtm.Command]
	cfg *dtm.Config
	far func(a, b int) int64 // the latencies are those of a tree; all are even
}

func newNetwork(cfg *dtm.Config, hosts int, far func(a, b int) int64) *network {
	w := &network{
		Network: drivetest.New(core(&dtm.Core{Config: *cfg}), func(s dtm.State) protocol.NodeID { return s.ID }),
		cfg:     cfg, far: far,
	}
	w.Ended = func(s dtm.State) bool { return s.Phase == dtm.Departed }
	w.Latency = func(a, b protocol.Address) uint32 { return uint32(far(int(a), int(b)) / 2) }
	w.OnStep = func(p *process) {
		s := p.State()
		if slices.ContainsFunc(s.Branches, func(b dtm.Branch) bool { return b.At > s.Length }) {
			w.Violated("Place: a child of %v is not on its segment", s.ID)
		}
	}
	for i := range hosts {
		w.Add(dtm.New(protocol.Address(i)))
	}
	return w
}

// mayFire reports whether a timer may fire: no timer suspects a live node, and the place of a
// failed child is kept as long as a host may claim it.
func (w *network) mayFire(t protocol.Timer) bool {
	switch t.Kind {
	case dtm.MissedTimer:
		return !w.Running(t.Peer)
	case dtm.HealTimer:
		return len(w.Having(func(p *process) bool {
			s := p.State()
			return p.Running() && (s.Anchor == t.Peer || s.Former == t.Peer)
		})) == 0
	}
	return true
}

// idle reports whether nothing is in progress at any host.
func (w *network) idle() bool {
	return len(w.InFlight) == 0 && !slices.ContainsFunc(w.Live(), func(p *process) bool {
		s := p.State()
		behind := slices.ContainsFunc(s.Branches, func(b dtm.Branch) bool {
			return !w.Running(b.Host) || b.Acked != s.Version
		})
		lost := !s.Anchor.IsNobody() && (s.Heard == 0 || !w.Running(s.Anchor))
		return s.Phase == dtm.Joining || s.Departure.Stage != dtm.Staying || s.Lock != (dtm.Lock{}) || behind || lost
	})
}

// settle runs a fair schedule until the network is quiescent.
func (w *network) settle() bool {
	fireAll := func(kinds ...protocol.TimerKind) {
		for _, p := range w.Live() {
			w.FireAll(p, func(t protocol.Timer) bool { return slices.Contains(kinds, t.Kind) && w.mayFire(t) }, nil)
			w.Drain()
		}
	}
	const rounds = 300
	return w.Settle(rounds, func() {
		fireAll(dtm.MissedTimer)
		fireAll(dtm.KeepTimer)
		fireAll(dtm.HealTimer)
		fireAll(dtm.AnswerTimer)
		fireAll(dtm.RetryTimer)
	})
}

// rest lets the network become quiescent and checks it.
func (w *network) rest() {
	if !w.settle() {
		w.Violated("the network does not become quiescent")
		return
	}
	if !w.idle() {
		w.Violated("NobodyLocked: something is in progress forever")
		return
	}
	var labels []dtm.Label
	for _, p := range w.Live() {
		s := p.State()
		if s.Phase != dtm.Member {
			continue
		}
		if !s.Anchor.IsNobody() {
			anchor := w.At(s.Anchor).State()
			if !slices.Equal(s.Above, anchor.Label()) || !slices.Equal(s.Siblings, anchor.Children()) {
				w.Violated("LabelsTrue: %v has an outdated view of its anchor", s.ID)
			}
		}
		labels = append(labels, s.Label())
	}
	for i, a := range labels {
		for _, b := range labels[:i] {
			d, one := dtm.Predict(a, b)
			if far := w.far(int(a[0].Host.Address), int(b[0].Host.Address)); !one || d != far {
				w.Violated("ExactOnTrees: %v and %v are %d apart, predicted %d", a, b, far, d)
			}
		}
	}
	w.checkNear(labels)
}

// checkNear checks that each host was reported all others, each by one neighbour.
func (w *network) checkNear(labels []dtm.Label) {
	for _, p := range w.Live() {
		s := p.State()
		if w.cfg.AggregateLimit < len(w.Nodes) || s.Phase != dtm.Member {
			continue
		}
		count := 0
		for _, l := range s.Links {
			count += len(s.Near(l.Peer))
		}
		if count != len(labels)-1 {
			w.Violated("Aggregated: %v knows %d of %d hosts", s.ID, count, len(labels)-1)
		}
	}
}
