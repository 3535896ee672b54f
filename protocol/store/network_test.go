package store_test

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/protocol/store"
)

type (
	core    = protocol.Core[store.State, store.Message, store.Command]
	process = drivetest.Process[store.State, store.Message, store.Command]
)

// network is a network of store nodes, with the property that holds in it.
type network struct {
	*drivetest.Network[store.State, store.Message, store.Command]
	cfg *store.Config
}

func self(s store.State) protocol.NodeID { return s.ID() }

func newConfig(sizes ...int32) *store.Config {
	s, err := space.New(0, sizes...)
	if err != nil {
		panic(err)
	}
	cfg := store.DefaultConfig(can.DefaultConfig(s))
	return &cfg
}

func newNetwork(cfg *store.Config) *network {
	w := &network{Network: drivetest.New(core(&store.Core{Config: *cfg}), self), cfg: cfg}
	w.Ended = func(s store.State) bool { return s.Finished() }
	w.OnStep = func(*process) { w.checkAlways() }
	return w
}

// add starts a process at the next address.
func (w *network) add(coord space.Point) *process {
	p := w.Add(store.New(protocol.Address(len(w.Nodes)), coord))
	w.Start(p)
	return p
}

// found adds nodes that join one after the other, each when the network is quiescent.
func (w *network) found(coords ...space.Point) {
	for _, c := range coords {
		p := w.add(c)
		if p.Address == 0 {
			w.Command(p, store.CommandMap(can.Command{Kind: can.CommandCreate}))
		} else {
			w.join(p)
		}
		w.settle()
	}
}

// join lets a node join by way of the first one.
func (w *network) join(p *process) {
	w.Command(p, store.CommandMap(can.Command{Kind: can.CommandJoin, Contact: w.Nodes[0].ID()}))
}

// checkAlways checks what is true in every state.
func (w *network) checkAlways() {
	for _, p := range w.Nodes {
		s := p.State()
		for _, it := range s.Items {
			if p.Running() && !s.CAN.Self.Zone.Contains(it.Key) {
				w.Violated("ItemsInside: %v holds %v", p.ID(), it)
			}
		}
	}
}

// settle runs a fair schedule until the network is quiescent. No live node is suspected.
func (w *network) settle() bool {
	kinds := []protocol.TimerKind{
		can.MissedTimer, can.ProposeTimer, can.ResendTimer, can.UpdateTimer, can.RetryTimer,
		store.GoneTimer, store.ResendTimer, store.RetryTimer,
	}
	return w.Settle(40, func() {
		for _, kind := range kinds {
			for _, p := range w.Nodes {
				w.FireAll(p, func(t protocol.Timer) bool { return t.Kind == kind && w.mayFire(t) }, w.Drain)
			}
		}
	})
}

// mayFire reports whether a timer may fire: no timer suspects a live node.
func (w *network) mayFire(t protocol.Timer) bool {
	suspects := t.Kind == can.MissedTimer || t.Kind == store.GoneTimer
	return !suspects || !w.Running(t.Peer)
}
