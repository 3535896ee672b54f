package sim

import "github.com/canvass-grid/canvass/protocol"

// Drifting are latencies that change: each node lies where, by other latencies, the node of some
// address would.
type Drifting struct {
	Latency
	at []protocol.Address // by node
}

// NewDrifting returns latencies at which each node lies where its own address says.
func NewDrifting(l Latency, nodes int) *Drifting {
	d := &Drifting{Latency: l}
	for i := range nodes {
		d.at = append(d.at, protocol.Address(i))
	}
	return d
}

// Move lets a node lie elsewhere. Nobody tells it or the others.
func (d *Drifting) Move(node int, to protocol.Address) { d.at[node] = to }

// Micros implements [Latency].
func (d *Drifting) Micros(from, to protocol.Address, c *Chance) int64 {
	return d.Latency.Micros(d.at[from], d.at[to], c)
}

// way is implemented by latencies that know how long a message takes which waits nowhere.
type way interface {
	Way(from, to protocol.Address) int64
}

var _, _ way = Plane{}, Placed{}

// Way is how far two nodes are from each other now, where that is known.
func (d *Drifting) Way(a, b protocol.Address) (micros int64, known bool) {
	w, known := d.Latency.(way)
	if !known {
		return 0, false
	}
	return w.Way(d.at[a], d.at[b]), true
}
