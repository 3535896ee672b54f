package sim

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// million is what rates are counted in.
const million = 1_000_000

// Network says how messages travel. Later messages may arrive before earlier ones wherever
// latencies differ.
type Network struct {
	Latency   Latency
	Drop      uint32 // messages lost, in a million
	Duplicate uint32 // messages that arrive once more, up to DelayMicros later
	Delay     uint32 // messages that come late, by up to DelayMicros
	// DelayMicros is how late a message may come.
	DelayMicros int64
	// Faults, if not nil, are the only faults of messages, whatever the rates are: those of an earlier
	// run, say.
	Faults []Fault
}

// Fault is what befell a message: the Number-th that a node sent, counted from 1 and over all its
// lives.
type Fault struct {
	Node   uint32 `json:"node"`
	Number uint32 `json:"number"`
	Kind   string `json:"kind"` // FaultLose, FaultDuplicate or FaultDelay
}

// The kinds of faults of messages.
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

// network is a network at work.
type network struct {
	Network
	seed     uint64
	faulty   bool
	groups   []uint8 // by node: messages pass within a group; nil: everywhere
	oneWay   bool    // messages pass from a lower group to a higher one
	slow     []uint16
	anySlow  bool
	recorded []Fault // what happened, if it is kept
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

// KeepFaults makes the cluster keep a list of the faults that messages suffer.
func (c *Simulation[S, M, C]) RecordFaults() { c.net.record = true }

// Faults lists the faults that messages suffered.
func (c *Simulation[S, M, C]) Faults() []Fault { return c.net.recorded }

// Partition cuts the network: messages pass within a group only or, if it is oneWay, also from a
// lower group to a higher one. It replaces a partition that is there; nil heals it. Messages that
// are under way arrive.
func (c *Simulation[S, M, C]) Partition(groups []uint8, oneWay bool) {
	c.net.groups, c.net.oneWay = groups, oneWay
}

// Slow makes all that a node sends and receives take so many times as long, and once more; 0 is as
// fast as usual.
func (c *Simulation[S, M, C]) Slow(node int, times uint16) {
	c.net.slow[node] = times
	c.net.update()
}

// Heal ends all faults of the network: nothing is lost, repeated or held up from now on, nothing is
// cut or slow, and messages take as long as that latency says.
func (c *Simulation[S, M, C]) Heal(l Latency) {
	c.net.Latency = l
	c.net.Drop, c.net.Duplicate, c.net.Delay, c.net.Faults, c.net.groups = 0, 0, 0, nil, nil
	clear(c.net.slow)
	c.net.update()
}

// send puts a letter on its way.
func (c *Simulation[S, M, C]) send(node int, letter *protocol.Envelope[M]) {
	n := &c.nodes[node]
	n.sent++
	c.stats.Sent++
	to := letter.To.Address
	if int(to) >= len(c.nodes) {
		c.stats.Undelivered++
		return
	}
	micros := c.latency(node, to)
	if g := c.net.groups; g != nil && g[node] != g[to] && !(c.net.oneWay && g[node] < g[to]) {
		c.stats.Cut++
		c.outcome(letter, "cut off")
		return
	}
	if c.net.faulty {
		var lost bool
		if micros, lost = c.drawFault(node, letter, micros); lost {
			return
		}
	}
	c.post(letter, micros)
}

// latency draws how long a message takes.
func (c *Simulation[S, M, C]) latency(node int, to protocol.Address) int64 {
	micros := c.net.Latency.Micros(protocol.Address(node), to, &c.nodes[node].chance)
	if c.net.anySlow {
		micros *= int64(1 + c.net.slow[node] + c.net.slow[to])
	}
	return max(1, micros)
}

// posted is a letter on its way, with what is wanted of it if it has come before.
type delivery[M any] struct {
	envelope *protocol.Envelope[M]
	from     protocol.NodeID
}

func (c *Simulation[S, M, C]) post(letter *protocol.Envelope[M], micros int64) {
	what := atDelivery | c.inFlight.put(delivery[M]{letter, letter.From})
	c.queue.push(event{at: c.now + micros, node: uint32(letter.To.Address), what: what})
}

// suffer decides what befalls a message. It depends on nothing but the seed, the sender and the
// number of the message, so that a plan from which something else is taken away still has the same
// faults.
func (c *Simulation[S, M, C]) drawFault(node int, letter *protocol.Envelope[M], micros int64) (int64, bool) {
	number := c.nodes[node].sent
	drawn := mix(c.net.seed ^ mix(uint64(node)<<32|uint64(number)))
	fault := Fault{Node: uint32(node), Number: number}
	if c.net.Faults != nil {
		if i, ok := slices.BinarySearchFunc(c.net.Faults, fault, Fault.compare); ok {
			fault.Kind = c.net.Faults[i].Kind
		}
	} else {
		switch at := uint32(drawn % million); {
		case at < c.net.Drop:
			fault.Kind = FaultDrop
		case at < c.net.Drop+c.net.Duplicate:
			fault.Kind = FaultDuplicate
		case at < c.net.Drop+c.net.Duplicate+c.net.Delay:
			fault.Kind = FaultDelay
		}
	}
	if fault.Kind == "" {
		return micros, false
	}
	if c.net.record {
		c.net.recorded = append(c.net.recorded, fault)
	}
	c.outcome(letter, fault.Kind)
	more := int64(mix(drawn) % uint64(max(1, c.net.DelayMicros)))
	switch fault.Kind {
	case FaultDrop:
		c.stats.Dropped++
		return 0, true
	case FaultDuplicate:
		c.stats.Duplicated++
		c.post(letter, micros+more)
	case FaultDelay:
		c.stats.Delayed++
		micros += more
	}
	return micros, false
}

func (c *Simulation[S, M, C]) outcome(letter *protocol.Envelope[M], outcome string) {
	if c.cfg.Observer != nil {
		c.cfg.Observer.Outcome(letter, outcome)
	}
}
