package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// million is the denominator of rates, and a second in microseconds.
const million = 1_000_000

// Network says how messages travel. Messages may overtake each other if latencies differ.
type Network struct {
	Latency   Latency
	Drop      uint32 // dropped messages, in a million
	Duplicate uint32 // messages that arrive a second time, up to DelayMicros later
	Delay     uint32 // messages delayed by up to DelayMicros
	// DelayMicros is the longest extra delay.
	DelayMicros int64
	// Faults, if not nil, are the only message faults, in spite of the rates: those of an earlier run,
	// for example.
	Faults []Fault
}

// Fault is a fault of one message: the Number-th that a node sent, counted from 1 over all its
// incarnations.
type Fault struct {
	Node   uint32 `json:"node"`
	Number uint32 `json:"number"`
	Kind   string `json:"kind"` // FaultDrop, FaultDuplicate or FaultDelay
}

// The kinds of message faults, as plans and traces write them.
const (
	FaultDrop      = "lose"
	FaultDuplicate = "duplicate"
	FaultDelay     = "delay"
)

func (f Fault) compare(other Fault) int {
	if f.Node != other.Node {
		return int(int64(f.Node) - int64(other.Node))
	}
	return int(int64(f.Number) - int64(other.Number))
}

// network is the state of a network.
type network struct {
	Network
	seed     uint64
	faulty   bool
	groups   []uint8 // by node; messages pass within a group; nil: everywhere
	oneWay   bool    // messages also pass from a lower group to a higher one
	slow     []uint16
	anySlow  bool
	recorded []Fault // the faults that happened, if they are recorded
	record   bool
}

func (n *network) init(given Network, seed uint64, nodes int) {
	n.Network, n.seed = given, seed
	n.Faults = slices.Clone(given.Faults)
	slices.SortFunc(n.Faults, Fault.compare)
	n.slow = make([]uint16, nodes)
	n.update()
}

func (n *network) update() {
	n.faulty = n.Faults != nil || n.Drop+n.Duplicate+n.Delay > 0
	n.anySlow = slices.ContainsFunc(n.slow, func(f uint16) bool { return f > 0 })
}

// RecordFaults makes the simulation record the faults of messages.
func (s *Simulation[S, M, C]) RecordFaults() { s.net.record = true }

// Faults lists the faults that messages suffered.
func (s *Simulation[S, M, C]) Faults() []Fault { return s.net.recorded }

// Partition partitions the network: messages pass within a group only or, if oneWay is set, also
// from a lower group to a higher one. It replaces the present partition; nil ends it. Messages in
// flight still arrive.
func (s *Simulation[S, M, C]) Partition(groups []uint8, oneWay bool) {
	s.net.groups, s.net.oneWay = groups, oneWay
}

// Slow delays everything that a node sends and receives by this many times its latency; 0 is normal
// speed.
func (s *Simulation[S, M, C]) Slow(node int, times uint16) {
	s.net.slow[node] = times
	s.net.update()
}

// Heal ends all faults of the network: no message is dropped, duplicated or delayed from now on, no
// partition remains, and no node is slow. Messages take the latency given.
func (s *Simulation[S, M, C]) Heal(l Latency) {
	s.net.Latency = guardLatency(s.cfg.calls, l)
	s.net.Drop, s.net.Duplicate, s.net.Delay, s.net.Faults, s.net.groups = 0, 0, 0, nil, nil
	clear(s.net.slow)
	s.net.update()
}

// send sends a message, unless a fault or a partition stops it.
func (s *Simulation[S, M, C]) send(node int, envelope *protocol.Envelope[M]) {
	n := &s.nodes[node]
	n.sent++
	s.stats.Sent++
	to := envelope.To.Address
	if int(to) >= len(s.nodes) {
		s.stats.Undelivered++
		return
	}
	micros := s.latency(node, to)
	if g := s.net.groups; g != nil && g[node] != g[to] && !(s.net.oneWay && g[node] < g[to]) {
		s.stats.Cut++
		s.outcome(envelope, "cut off")
		return
	}
	if s.net.faulty {
		var lost bool
		if micros, lost = s.drawFault(node, envelope, micros); lost {
			return
		}
	}
	s.post(envelope, micros)
}

// latency draws how long a message takes.
func (s *Simulation[S, M, C]) latency(node int, to protocol.Address) int64 {
	micros := s.audit.micros(protocol.Address(node), to, &s.nodes[node].chance)
	if s.net.anySlow {
		times := 1 + int64(s.net.slow[node]) + int64(s.net.slow[to])
		micros = min(micros, maxPlanMicros/times) * times
	}
	return max(1, micros)
}

// delivery is a message in flight. The sender is stored beside it, because a cached delivery needs
// nothing else.
type delivery[M any] struct {
	envelope *protocol.Envelope[M]
	from     protocol.NodeID
}

func (s *Simulation[S, M, C]) post(envelope *protocol.Envelope[M], micros int64) {
	what := atDelivery | s.inFlight.put(delivery[M]{envelope, envelope.From})
	s.schedule(s.now+micros, int(envelope.To.Address), what)
}

// drawFault lets a fault befall a message. It returns how long the message takes, and whether it is
// lost.
func (s *Simulation[S, M, C]) drawFault(node int, envelope *protocol.Envelope[M], micros int64) (int64, bool) {
	fault, drawn := s.net.faultOf(node, s.nodes[node].sent)
	if fault.Kind == "" {
		return micros, false
	}
	s.outcome(envelope, fault.Kind)
	more := int64(mix(drawn) % uint64(max(1, s.net.DelayMicros)))
	switch fault.Kind {
	case FaultDrop:
		s.stats.Dropped++
		return 0, true
	case FaultDuplicate:
		s.stats.Duplicated++
		s.post(envelope, micros+more)
	case FaultDelay:
		s.stats.Delayed++
		micros += more
	}
	return micros, false
}

// faultOf draws the fault of a message; its kind is "" if it has none. It depends only on the seed,
// the sender and the number of the message, so that a plan from which something else is removed
// still has the same faults.
func (n *network) faultOf(node int, number uint32) (fault Fault, drawn uint64) {
	drawn = mix(n.seed ^ mix(uint64(node)<<32|uint64(number)))
	fault = Fault{Node: uint32(node), Number: number}
	if n.Faults != nil {
		if i, ok := slices.BinarySearchFunc(n.Faults, fault, Fault.compare); ok {
			fault.Kind = n.Faults[i].Kind
		}
	} else {
		switch at := uint32(drawn % million); {
		case at < n.Drop:
			fault.Kind = FaultDrop
		case at < n.Drop+n.Duplicate:
			fault.Kind = FaultDuplicate
		case at < n.Drop+n.Duplicate+n.Delay:
			fault.Kind = FaultDelay
		}
	}
	if fault.Kind != "" && n.record {
		n.recorded = append(n.recorded, fault)
	}
	return fault, drawn
}

func (s *Simulation[S, M, C]) outcome(envelope *protocol.Envelope[M], outcome string) {
	if s.cfg.Observer != nil {
		s.cfg.Observer.Outcome(envelope, outcome)
	}
}

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
// the round trip. There is no result if the peer is down when the message arrives, or if a
// partition stops either message.
func (s *Simulation[S, M, C]) measure(node int, peer protocol.NodeID) {
	n := &s.nodes[node]
	if int(peer.Address) >= len(s.nodes) {
		return
	}
	there := s.latency(node, peer.Address)
	back := max(1, s.audit.micros(peer.Address, protocol.Address(node), &n.chance))
	n.sent++
	serial := n.sent
	n.measuring = slices.DeleteFunc(n.measuring, func(m measuring) bool { return m.peer == peer })
	n.measuring = append(n.measuring, measuring{peer, serial})
	m := measurement{node, n.id, peer, uint32(min((there+back)/2, 1<<32-1)), serial}
	s.schedule(s.now+there+back, node, atMeasure|s.measurements.put(m))
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
