package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// measurement is a measurement in progress.
type measurement struct {
	node   int
	by, of protocol.NodeID
	micros uint32
	serial uint32
}

// measuring says which measurement of a peer counts: the latest.
type measuring struct {
	peer   protocol.NodeID
	serial uint32
}

// measure starts to measure the latency to a peer by a message there and back. The result is half
// the round trip. There is none if the peer is down when the message arrives, or if a partition
// stops either message.
func (s *Simulation[S, M, C]) measure(node int, peer protocol.NodeID) {
	n := &s.nodes[node]
	if int(peer.Address) >= len(s.nodes) {
		return
	}
	there := s.latency(node, peer.Address)
	back := max(1, s.micros(peer.Address, protocol.Address(node), &n.chance))
	n.sent++
	serial := n.sent
	n.measuring = slices.DeleteFunc(n.measuring, func(m measuring) bool { return m.peer == peer })
	n.measuring = append(n.measuring, measuring{peer, serial})
	m := measurement{node, n.id, peer, uint32(min((there+back)/2, 1<<32-1)), serial}
	s.queue.push(event{at: s.now + there + back, node: uint32(node), what: atMeasure | s.measurements.put(m)})
}

func (s *Simulation[S, M, C]) measured(m measurement) {
	n := &s.nodes[m.node]
	i := slices.Index(n.measuring, measuring{m.of, m.serial})
	if i < 0 || !n.live || n.id != m.by {
		return
	}
	n.measuring = slices.Delete(n.measuring, i, i+1)
	if g := s.net.groups; !s.Running(m.of) || g != nil && g[m.node] != g[m.of.Address] {
		return
	}
	s.step(m.node, protocol.Input[M, C]{Kind: protocol.Measured, From: m.of, Measure: m.micros}, nil)
}
