package sim

import (
	"fmt"

	"github.com/canvass-grid/canvass/internal/blame"
	"github.com/canvass-grid/canvass/internal/calendar"
	"github.com/canvass-grid/canvass/protocol"
)

// Config describes a simulation.
type Config[S, M, C any] struct {
	Core protocol.Core[S, M, C]
	// The initial states; a node's index is its address.
	Nodes []S
	Seed  uint64

	// Identity returns the identity of a process in a state.
	Identity func(*S) protocol.NodeID
	// Stopped reports whether a process has ended in this state: it then receives nothing. If it is
	// nil, processes never end.
	Stopped func(*S) bool
	// Unchanged reports whether a step led back to the same state. If it is set, the outputs of steps
	// that changed nothing are cached, and the same input in the same state takes its output from the
	// cache. If it is nil, every step is executed.
	Unchanged func(before, after *S) bool
	// Twice executes every step twice; the second result counts. That changes nothing, unless a step
	// modifies its input.
	Twice bool
	// Effects says that Step does more than it returns. Then it is not called again to see whether it
	// is a function of its arguments.
	Effects bool
	// Due reports whether a timer may fire now. A timer that may not is set again for the same time.
	// This is how a scenario gets an accurate failure detector. If it is nil, timers always fire.
	Due func(node int, t protocol.Timer) bool
	// Span returns how many microseconds a timer lasts whose duration is not the core's choice, and 0
	// for all others. If it is nil, there are no such timers.
	Span func(node int, t protocol.Timer) int64

	TickMicros int64   // length of a timer tick
	DriftPPM   int64   // largest error of a node's clock, in parts per million
	Network    Network // in the initial state

	// Observer, if set, sees every input of a core, before and after the step.
	Observer Observer[S, M, C]
	// OnStep, if set, is called after each step that changed a state or had events for the
	// application.
	OnStep func(node int, events []protocol.Event)

	calls   *blame.Log // which function is running; nil: New makes one
	careful bool       // test the functions in every step
}

// Observer sees everything that happens.
type Observer[S, M, C any] interface {
	Before(h *StepInfo[M, C])
	After(h *StepInfo[M, C], out *protocol.Output[M])
	// Outcome reports what happens to a message that is sent, between Before and After, if it is not
	// delivered as usual: a kind of fault, or "cut off" by a partition.
	Outcome(e *protocol.Envelope[M], outcome string)
}

// StepInfo describes an action at a node.
type StepInfo[M, C any] struct {
	Kind  string // as in traces: deliver, timeout, command, chosen, measured, crash, restart, start, drop, duplicate
	Node  int
	Input protocol.Input[M, C]
}

// Stats counts what happened.
type Stats struct {
	// Messages delivered, steps executed, and steps taken from the cache.
	Delivered, Steps, Remembered       uint64
	Sent, Dropped, Duplicated, Delayed uint64 // Delayed: by a fault, not by latency
	Undelivered, Cut, Timeouts         uint64 // Undelivered: the receiver was down; Cut: stopped by a partition
	Crashes, Restarts                  uint64
	// Timers that fired while the awaited message was in flight, in scenarios without a clock.
	Premature uint64
}

// Simulation is a network of nodes of one core in virtual time. One goroutine drives it.
type Simulation[S, M, C any] struct {
	cfg   Config[S, M, C]
	now   int64
	queue *calendar.Queue[event]
	// A node's states are stored apart from the rest, because most messages need only the rest.
	nodes      []node[M]
	states     []S
	net        network
	prefetched uint64 // see prefetch

	inFlight     pool[delivery[M]] // messages in flight
	calls        pool[func()]
	measurements pool[measurement]

	actions actions // digest of all inputs
	stats   Stats

	byCall int // the number of a scheduled call in the log
	audit  audit[S, M, C]
}

// node is a process and its environment.
type node[M any] struct {
	id         protocol.NodeID // of the present incarnation
	begun      bool            // there has been an incarnation
	up         bool
	live       bool // up and not stopped
	sent       uint32
	timers     []timer
	heartbeats []heartbeat[M] // by index of the timer
	chance     Chance
	drift      int64
	deliveries []cachedDelivery[M]
	timeouts   []cachedTimeout[M]
	persisted  []byte
	measuring  []measuring
}

// event is something that will happen at a node. It is compact, since a large simulation has
// millions of events.
type event struct {
	node uint32 // the node's index
	what uint32 // the kind in the upper bits, a number in a pool below
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

// New returns a simulation in which no node is up. It panics if the configuration is incomplete.
func New[S, M, C any](cfg Config[S, M, C]) *Simulation[S, M, C] {
	if missing := cfg.missing(); missing != "" {
		panic("sim: a simulation needs Core, Identity, TickMicros and Network.Latency; " + missing + " is missing")
	}
	if cfg.Stopped == nil {
		cfg.Stopped = func(*S) bool { return false }
	}
	if cfg.calls == nil {
		cfg.calls = &blame.Log{}
	}
	cfg = cfg.guarded(cfg.calls)
	c := &Simulation[S, M, C]{
		cfg:    cfg,
		queue:  calendar.NewQueue[event](),
		nodes:  make([]node[M], len(cfg.Nodes)),
		states: make([]S, len(cfg.Nodes)),
	}
	c.audit.sim = c
	c.byCall = cfg.calls.Add("a function that At was given")
	c.net.init(cfg.Network, cfg.Seed, len(cfg.Nodes))
	for i := range c.nodes {
		n := &c.nodes[i]
		n.chance.seed(cfg.Seed, uint64(i)+1)
		n.drift = n.chance.Between(-cfg.DriftPPM, cfg.DriftPPM)
		if at := cfg.Identity(&cfg.Nodes[i]).Address; int(at) != i {
			panic(fmt.Sprintf("sim: node %d has the address %d; a node's index must be its address", i, at))
		}
	}
	return c
}

// missing names missing parts of a configuration.
func (c *Config[S, M, C]) missing() string {
	switch {
	case c.Core == nil:
		return "Core"
	case c.Identity == nil:
		return "Identity"
	case c.TickMicros < 1:
		return "TickMicros"
	case c.Network.Latency == nil:
		return "Network.Latency"
	}
	return ""
}

// Now is the virtual time in microseconds.
func (s *Simulation[S, M, C]) Now() int64 { return s.now }

// Len is the number of nodes.
func (s *Simulation[S, M, C]) Len() int { return len(s.nodes) }

// State is the state of a process. It must not be modified, and is meaningless unless the process
// is up.
func (s *Simulation[S, M, C]) State(node int) *S { return &s.states[node] }

// Up reports whether a node's process is up.
func (s *Simulation[S, M, C]) Up(node int) bool { return s.nodes[node].up }

// Live reports whether a node's process is up and has not stopped.
func (s *Simulation[S, M, C]) Live(node int) bool { return s.nodes[node].live }

// Running reports whether this incarnation is up and has not stopped.
func (s *Simulation[S, M, C]) Running(id protocol.NodeID) bool {
	return int(id.Address) < len(s.nodes) && s.nodes[id.Address].live && s.nodes[id.Address].id == id
}

// Stats returns the counts so far.
func (s *Simulation[S, M, C]) Stats() Stats { return s.stats }

// RunUntil handles all events up to a time. It stops early if keep, which is called after each
// event, reports false. A nil keep never does.
func (s *Simulation[S, M, C]) RunUntil(until int64, keep func() bool) {
	for {
		if at := s.queue.NextAt(); at > until || at == calendar.Never {
			s.now = until
			return
		}
		if ahead, popped := s.queue.Batch(); popped%prefetchEvery == 0 && len(s.nodes) > prefetchFrom {
			s.prefetch(ahead)
		}
		e, _ := s.queue.Pop()
		s.now = e.At
		s.happen(e.Value)
		if keep != nil && !keep() {
			return
		}
	}
}

// At schedules a call, after everything that is already scheduled for the same time.
func (s *Simulation[S, M, C]) At(at int64, call func()) {
	s.schedule(max(at, s.now), 0, atControl|s.calls.put(call))
}

// schedule adds an event to the queue.
func (s *Simulation[S, M, C]) schedule(at int64, node int, what uint32) {
	s.queue.Push(calendar.Timed[event]{At: at, Value: event{uint32(node), what}})
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
		s.audit.requireProgress()
		before := s.cfg.calls.Enter(s.byCall)
		s.calls.take(e.number())()
		s.cfg.calls.Leave(before)
	}
}

// Digest is a hash of a run: Actions covers what reached which node when, State covers the states
// and disks of all nodes.
type Digest struct {
	Actions, State uint64
}

// Digest returns the digest so far. Equal runs have equal digests.
func (s *Simulation[S, M, C]) Digest() Digest {
	d := Digest{Actions: uint64(s.actions)}
	var b []byte
	for i := range s.nodes {
		n := &s.nodes[i]
		b = protocol.AppendBool(b[:0], n.up)
		b = append(b, n.persisted...)
		if n.up {
			b = s.cfg.Core.AppendState(b, s.states[i])
		}
		d.State = mix(d.State ^ protocol.Hash(b))
	}
	return d
}

// actions is the digest of all inputs so far.
type actions uint64

// add adds an input.
func (a *actions) add(now int64, kind protocol.InputKind, node int, what uint64) {
	h := uint64(*a) ^ uint64(now)
	h = (h ^ uint64(node)<<8 ^ uint64(kind)) * 0x9fb21c651e98df25
	h = (h ^ h>>35 ^ what) * 0xd6e8feb86659fd93
	*a = actions(h ^ h>>32)
}

// digestWord is the part of an input that goes into the digest.
func digestWord(from protocol.NodeID, t protocol.Timer) uint64 {
	return uint64(from.Address) ^ uint64(from.Incarnation)<<32 ^ uint64(t.Kind)<<48 ^ uint64(t.Peer.Address)<<8
}
