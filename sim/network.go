package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// million is the denominator of rates, and a second in microseconds.
const million = 1_000_000

// Network says how messages travel. Messages may overtake each other wherever latencies differ.
type Network struct {
	Latency   Latency
	Drop      uint32 // dropped messages, in a million
	Duplicate uint32 // messages that arrive a second time, up to DelayMicros later
	Delay     uint32 // messages delayed by up to DelayMicros
	// DelayMicros is the longest extra delay.
	DelayMicros int64
	// Faults, if not nil, are the only message faults, whatever the rates are: those of an earlier
	// run, for example.
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
	micros := s.micros(protocol.Address(node), to, &s.nodes[node].chance)
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
	s.queue.push(event{at: s.now + micros, node: uint32(envelope.To.Address), what: what})
}

// drawFault draws the fault of a message. It depends only on the seed, the sender and the number of
// the message, so that a plan from which something else is removed still has the same faults.
func (s *Simulation[S, M, C]) drawFault(node int, envelope *protocol.Envelope[M], micros int64) (int64, bool) {
	number := s.nodes[node].sent
	drawn := mix(s.net.seed ^ mix(uint64(node)<<32|uint64(number)))
	fault := Fault{Node: uint32(node), Number: number}
	if s.net.Faults != nil {
		if i, ok := slices.BinarySearchFunc(s.net.Faults, fault, Fault.compare); ok {
			fault.Kind = s.net.Faults[i].Kind
		}
	} else {
		switch at := uint32(drawn % million); {
		case at < s.net.Drop:
			fault.Kind = FaultDrop
		case at < s.net.Drop+s.net.Duplicate:
			fault.Kind = FaultDuplicate
		case at < s.net.Drop+s.net.Duplicate+s.net.Delay:
			fault.Kind = FaultDelay
		}
	}
	if fault.Kind == "" {
		return micros, false
	}
	if s.net.record {
		s.net.recorded = append(s.net.recorded, fault)
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

func (s *Simulation[S, M, C]) outcome(envelope *protocol.Envelope[M], outcome string) {
	if s.cfg.Observer != nil {
		s.cfg.Observer.Outcome(envelope, outcome)
	}
}
