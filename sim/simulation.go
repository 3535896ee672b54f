package sim

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
)

// Config says what a cluster is made of.
type Config[S, M, C any] struct {
	Core  protocol.Core[S, M, C]
	Nodes []S // before their first lives; a node's place is its address
	Seed  uint64

	// Identity is who a process is in a state.
	Identity func(*S) protocol.NodeID
	// Stopped tells states in which a process has ended: whatever is sent to it vanishes. Nil: it
	// never ends.
	Stopped func(*S) bool
	// Unchanged tells that a step has led back to the state it came from. If it is given, a step that
	// changed nothing is remembered, and when the same input comes again in the same state its output
	// is taken from memory: a step is a function. Nil: every step is made.
	Unchanged func(before, after *S) bool
	// Twice makes every step twice, and the second counts. That changes nothing, unless a step changes
	// what it is given.
	Twice bool
	// Due tells whether a timer may fire now. One that may not is set again, for as long as before:
	// that is how an accurate failure detector is had. Nil: always.
	Due func(node int, t protocol.Timer) bool
	// Span says how many microseconds a timer of a node lasts whose duration is not the core's to say;
	// for others it is 0. Nil: there are none.
	Span func(node int, t protocol.Timer) int64

	TickMicros int64   // what a tick of a timer is
	DriftPPM   int64   // each node's clock is wrong by a part drawn up to this, in millionths
	Network    Network // as it is in the beginning

	// Watch, if set, is told of every input that reaches a core, before and after.
	Observer Observer[S, M, C]
	// Told, if set, is told of each step that changed a state or had events for the application.
	OnStep func(node int, events []protocol.Event)
}

// Watcher sees everything that happens.
type Observer[S, M, C any] interface {
	Before(h *StepInfo[M, C])
	After(h *StepInfo[M, C], out *protocol.Output[M])
	// Fate is told what befalls a message that is sent, between Before and After: lost, repeated,
	// late, cut.
	Outcome(e *protocol.Envelope[M], fate string)
}

// Happening is one thing that happens at a node.
type StepInfo[M, C any] struct {
	Kind  string // as in traces: deliver, timeout, command, chosen, measured, crash, restart, start, drop, duplicate
	Node  int
	Input protocol.Input[M, C]
}

// Stats counts what happened.
type Stats struct {
	Delivered, Steps, Remembered       uint64 // messages delivered; steps made and taken from memory
	Sent, Dropped, Duplicated, Delayed uint64 // Postponed: by a fault, not by latency
	Undelivered, Cut, Timeouts         uint64 // to nobody; into a partition
	Crashes, Restarts                  uint64
	Premature                          uint64 // timers that fired although what they wait for was on its way; in runs without a clock only
}

// Cluster is a network of nodes of one core in virtual time. It is driven by one goroutine.
type Simulation[S, M, C any] struct {
	cfg   Config[S, M, C]
	now   int64
	queue *queue
	// What a place is lies apart from what state it is in: most messages need only the former.
	nodes      []node[M]
	states     []S
	net        network
	prefetched uint64 // see glance

	inFlight     pool[delivery[M]] // on their way
	calls        pool[func()]
	measurements pool[measurement]

	actions uint64 // digest of all that happened
	stats   Stats
}

// node is a place where a process runs.
type node[M any] struct {
	id         protocol.NodeID // of the life at hand
	begun      bool            // some life has begun
	up         bool
	live       bool // up and not stopped
	sent       uint32
	timers     []timer
	heartbeats []heartbeat[M] // by timer
	chance     Chance
	drift      int64
	deliveries []cachedDelivery[M]
	timeouts   []cachedTimeout[M]
	persisted  []byte
	measuring  []measuring
}

// The kinds of events.
const (
	atDelivery = iota << kindShift
	atTimer
	atMeasure
	atControl
)

const (
	kindShift = 29
	whatMask  = 1<<kindShift - 1
)

func (e event) kind() uint32   { return e.what &^ whatMask }
func (e event) number() uint32 { return e.what & whatMask }

// New returns a cluster of which nobody is up yet. It panics if the configuration makes no sense.
func New[S, M, C any](cfg Config[S, M, C]) *Simulation[S, M, C] {
	if cfg.Core == nil || cfg.Identity == nil || cfg.TickMicros < 1 || cfg.Network.Latency == nil {
		panic("sim: a cluster needs Core, Identity, TickMicros and Network.Latency")
	}
	if cfg.Stopped == nil {
		cfg.Stopped = func(*S) bool { return false }
	}
	c := &Simulation[S, M, C]{
		cfg:    cfg,
		queue:  newQueue(),
		nodes:  make([]node[M], len(cfg.Nodes)),
		states: make([]S, len(cfg.Nodes)),
	}
	c.net.init(cfg.Network, cfg.Seed, len(cfg.Nodes))
	for i := range c.nodes {
		n := &c.nodes[i]
		n.chance.seed(cfg.Seed, uint64(i)+1)
		n.drift = n.chance.Between(-cfg.DriftPPM, cfg.DriftPPM)
		if at := cfg.Identity(&cfg.Nodes[i]).Address; int(at) != i {
			panic(fmt.Sprintf("sim: node %d says that its address is %d", i, at))
		}
	}
	return c
}

// Now is the virtual time in microseconds.
func (s *Simulation[S, M, C]) Now() int64 { return s.now }

// Len is the number of places.
func (s *Simulation[S, M, C]) Len() int { return len(s.nodes) }

// State is the state of a process, which must not be changed. It means nothing unless the process
// is up.
func (s *Simulation[S, M, C]) State(node int) *S { return &s.states[node] }

// Up reports whether a process runs at this place.
func (s *Simulation[S, M, C]) Up(node int) bool { return s.nodes[node].up }

// Live reports whether a process runs at this place and has not ended.
func (s *Simulation[S, M, C]) Live(node int) bool { return s.nodes[node].live }

// Running reports whether this very life is up and has not ended.
func (s *Simulation[S, M, C]) Running(id protocol.NodeID) bool {
	return int(id.Address) < len(s.nodes) && s.nodes[id.Address].live && s.nodes[id.Address].id == id
}

// Stats counts what happened so far.
func (s *Simulation[S, M, C]) Stats() Stats { return s.stats }

// Run lets everything happen that is due up to a time. It stops early if keep, which is asked after
// each event, reports false; nil is asked nothing.
func (s *Simulation[S, M, C]) RunUntil(until int64, keep func() bool) {
	for {
		at, ok := s.queue.nextAt()
		if !ok || at > until {
			s.now = until
			return
		}
		if s.queue.next%prefetchEvery == 0 && len(s.nodes) > prefetchFrom {
			s.prefetch()
		}
		e, _ := s.queue.pop()
		s.now = e.at
		s.happen(e)
		if keep != nil && !keep() {
			return
		}
	}
}

// At calls a function at a time, after what was planned for that time before.
func (s *Simulation[S, M, C]) At(at int64, call func()) {
	s.queue.push(event{at: max(at, s.now), what: atControl | s.calls.put(call)})
}

func (s *Simulation[S, M, C]) happen(e event) {
	switch e.kind() {
	case atDelivery:
		s.deliver(int(e.node), s.inFlight.take(e.number()))
	case atTimer:
		s.timerDue(int(e.node), int(e.number()))
	case atMeasure:
		s.measured(s.measurements.take(e.number()))
	case atControl:
		s.calls.take(e.number())()
	}
}

// note adds what happens to the digest.
func (s *Simulation[S, M, C]) digestInput(kind protocol.InputKind, node int, what uint64) {
	h := s.actions ^ uint64(s.now)
	h = (h ^ uint64(node)<<8 ^ uint64(kind)) * 0x9fb21c651e98df25
	h = (h ^ h>>35 ^ what) * 0xd6e8feb86659fd93
	s.actions = h ^ h>>32
}

// trail is what the digest keeps of an input.
func digestWord(from protocol.NodeID, t protocol.Timer) uint64 {
	return uint64(from.Address) ^ uint64(from.Incarnation)<<32 ^ uint64(t.Kind)<<48 ^ uint64(t.Peer.Address)<<8
}
