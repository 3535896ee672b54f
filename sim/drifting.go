package sim

import "github.com/canvass-grid/canvass/protocol"

// Drifting changes latencies during a run: a node may move to the position of another address.
type Drifting struct {
	Latency
	at []protocol.Address // by node
}

// NewDrifting returns latencies with every node at the position of its own address.
func NewDrifting(l Latency, nodes int) *Drifting {
	d := &Drifting{Latency: l}
	for i := range nodes {
		d.at = append(d.at, protocol.Address(i))
	}
	return d
}

// Move moves a node to the position of an address. No node is notified.
func (d *Drifting) Move(node int, to protocol.Address) { d.at[node] = to }

// Micros implements [Latency].
func (d *Drifting) Micros(from, to protocol.Address, c *Chance) int64 {
	return d.Latency.Micros(d.at[from], d.at[to], c)
}

// way is implemented by latencies that know how long a message takes without queueing.
type way interface {
	Way(from, to protocol.Address) int64
}

var _, _ way = Plane{}, Placed{}

// Way is the present latency between two nodes without queueing, if it is known.
func (d *Drifting) Way(a, b protocol.Address) (micros int64, known bool) {
	w, known := d.Latency.(way)
	if !known {
		return 0, false
	}
	return w.Way(d.at[a], d.at[b]), true
}
