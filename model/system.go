package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/traces"
)

// MaxNodes bounds the nodes of a system.
const MaxNodes = 16

// ErrBudget is wrapped by every error about a fault budget that a system cannot have.
var ErrBudget = errors.New("impossible fault budget")

// ErrNodes is wrapped by every error about a number of nodes that a system cannot have.
var ErrNodes = errors.New("impossible number of nodes")

// ErrSystem is wrapped by every other error about an impossible description.
var ErrSystem = errors.New("impossible system")

// System describes a closed system: nodes that run one core, a network, the faults of the budget,
// and the properties that must hold. [System.Compile] makes a Checkable of it. Core, Nodes and
// Identity are required. All other fields are optional.
type System[S, M, C any] struct {
	Info Info
	Core protocol.Core[S, M, C]
	// Nodes lists the nodes. The i-th runs at address i.
	Nodes []Node[S, C]
	// Prelude leads to the initial state. Each command is given in turn, and the system then takes
	// its first fair action until there is none. So the core itself brings the initial state about.
	Prelude []PreludeCommand[C]
	// Identity returns the identity of a node in a state.
	Identity func(S) protocol.NodeID
	// Network says in which order messages arrive. The zero value is Unordered.
	Network Network
	// KeepIgnored keeps messages in flight whose delivery would change nothing, send nothing and
	// show the monitor nothing: such a delivery is no action. Without it they are consumed.
	KeepIgnored bool
	// Repeats reports whether a message is subject to unbounded duplication under Budget.Repeat,
	// and to adversarial delivery under Budget.Adversarial and Budget.Late. Nil: all are.
	Repeats func(M) bool
	// ThisIncarnation makes drivers keep their duty under adversarial delivery, too: a message
	// reaches only the incarnation that it names, at any time. Set it for a core that needs that,
	// and show with an expected failure what breaks without.
	ThisIncarnation bool
	// Stopped reports whether a node has ended in a state: messages to it vanish. Nil: no node
	// ends.
	Stopped func(S) bool
	// Crashable reports whether a running node may crash: the crash makes a difference, and the
	// assumptions allow it. Nil: any node may.
	Crashable func(w *GlobalState[S, M], node int) bool
	// Due says when a pending timer may fire. Nil: at any time.
	Due func(w *GlobalState[S, M], node int, t protocol.Timer) Due
	// Latency lists the possible results of a measurement from one node to another, in the core's
	// unit. A measurement ends only while the peer is up. Nil, or an empty list: it never ends.
	Latency func(from, to protocol.NodeID) []uint32
	// Confluent reports whether a delivery may be taken before all other actions: no predicate
	// notices it, and it commutes with all that may happen to the receiver before it arrives. See
	// [checker.Confluent] for the exact meaning. It is used only by checks with reductions, under
	// budgets without faults other than crashes and restarts, and once no crash is left. Nil: none.
	Confluent func(w *GlobalState[S, M], e protocol.Envelope[M]) bool
	// Optional names kinds of actions, or classes of them, that nothing forces: "timeout",
	// "deliver@B". A run may stop where nothing else is enabled, as if the node did not act any
	// more. The kinds are the otherwise fair ones: deliver, timeout, chosen and measured. Commands
	// and faults need no mention: no run has to take them.
	Optional []string
	// Symmetry says which nodes are interchangeable. It is used only if a check wants reductions.
	// Nil: none.
	Symmetry *Symmetry[S, M, C]
	// Monitor carries what properties must remember of the past. Nil remembers nothing.
	Monitor Monitor[S]
	// Properties are checked in every state, as their shapes say.
	Properties []Property[S, M]
	// View is computed once for each distinct state of a live node and kept in its Slot. Properties
	// that need something derived from a state find it there. May be nil.
	View func(S) any
	// QuiescentEnd reports whether no node waits for anything: the quiescent ends. Nil: no end is
	// accepted.
	QuiescentEnd func(w *GlobalState[S, M]) bool
	// Draw adds to the picture of a state on pages about a run, such as a map or remarks. Nodes and
	// messages are drawn already: the i-th figure is that of the i-th node. May be nil.
	Draw func(w *GlobalState[S, M], p *traces.Picture)
}

// Node describes a node: its initial state, and the commands that its application gives, one after
// the other, each at any time. Commands[i] are those of its i-th incarnation. A restart begins the
// next incarnation.
//
// A node whose initial state has the incarnation 0 is started first. For any other state, Timers
// are the pending ones, and Persisted has the node's writes so far. A later incarnation begins with
// the initial state, too, and with the persisted bytes.
type Node[S, C any] struct {
	// Name is the node's name in actions and traces. States and messages write the addresses of
	// nodes as [protocol.NodeID] does: A is at address 0, B at 1. Names should agree with that.
	Name      string
	State     S
	Timers    []protocol.Timer
	Persisted []byte
	Commands  [][]C
}

// PreludeCommand is a command given to a node before the run begins.
type PreludeCommand[C any] struct {
	Node    int
	Command C
}

// Due says whether a pending timer may fire.
type Due uint8

// When a timer may fire.
const (
	Never    Due = iota // not now: it would be pointless, or against the assumptions
	Spurious            // only as a premature timeout: the awaited message is still in flight
	Suspect             // only as a false suspicion: the peer is alive
	Useful              // if it changes its node, shows the monitor an event or, by its messages, changes another node
	Now                 // at any time
)

// Monitor is a pure automaton that observes the events of a run. Its states are canonical bytes.
type Monitor[S any] interface {
	Initial() []byte
	// Observe returns the monitor's next state after a step of a node. It gets the node's state
	// after the step and the events of the step. A crash is the event "crash". A restart is
	// observed through the core's events.
	Observe(mon []byte, node int, after S, events []protocol.Event) []byte
	// View is computed once for each distinct state of the monitor. Properties find it in
	// GlobalState.MonitorView.
	View(mon []byte) any
	// Wants reports whether Observe needs events of a name. A step without such events is skipped.
	Wants(event string) bool
}

// Property is a property of a system. Holds and Triggers must be functions of the global state:
// their results are cached.
type Property[S, M any] struct {
	checker.Property
	Holds    func(w *GlobalState[S, M]) bool
	Triggers func(w *GlobalState[S, M]) bool // LeadsTo, Reaches and AlmostSurely only
}

// GlobalState is a state of the whole system, for properties and rules to read. They must not
// change it.
type GlobalState[S, M any] struct {
	Slots       []*Slot[S]
	MonitorView any // result of Monitor.View for the monitor's state

	places    []*place
	inboxes   *inboxes
	envelopes *checker.Interner[*envelope[M]]
	looked    bool // a predicate has looked at messages in flight
}

// box returns the inbox of a node.
func (g *GlobalState[S, M]) box(node int) inbox {
	g.looked = true
	return g.inboxes.value(g.places[node].boxID)
}

// NetworkEmpty reports whether nothing is in flight.
func (g *GlobalState[S, M]) NetworkEmpty() bool {
	g.looked = true
	for _, p := range g.places {
		if p.senders() != 0 {
			return false
		}
	}
	return true
}

// Touches reports whether a message to or from the node is in flight.
func (g *GlobalState[S, M]) Touches(node int) bool {
	g.looked = true
	if g.places[node].senders() != 0 {
		return true
	}
	for _, p := range g.places {
		if p.senders()&(1<<node) != 0 {
			return true
		}
	}
	return false
}

// InFlight calls visit for each message in flight. On a FIFO network it visits the messages of a
// channel in their order.
func (g *GlobalState[S, M]) InFlight(visit func(e protocol.Envelope[M])) {
	for i := range g.places {
		for _, id := range g.box(i).envelopes {
			visit(g.envelopes.Value(id).Envelope)
		}
	}
}

// Running reports whether this incarnation is up and has not ended.
func (g *GlobalState[S, M]) Running(id protocol.NodeID) bool {
	i := int(id.Address)
	return i < len(g.Slots) && g.Slots[i].live && g.Slots[i].id == id
}

// Live reports whether the node with this index is up and has not ended.
func (g *GlobalState[S, M]) Live(node int) bool { return g.Slots[node].live }

// withDefaults returns the description with a default for each function that is missing.
func (s *System[S, M, C]) withDefaults() *System[S, M, C] {
	full := *s
	if full.Stopped == nil {
		full.Stopped = func(S) bool { return false }
	}
	if full.Crashable == nil {
		full.Crashable = func(*GlobalState[S, M], int) bool { return true }
	}
	if full.Repeats == nil {
		full.Repeats = func(M) bool { return true }
	}
	if full.Due == nil {
		full.Due = func(*GlobalState[S, M], int, protocol.Timer) Due { return Now }
	}
	if full.Latency == nil {
		full.Latency = func(from, to protocol.NodeID) []uint32 { return nil }
	}
	if full.QuiescentEnd == nil {
		full.QuiescentEnd = func(*GlobalState[S, M]) bool { return false }
	}
	return &full
}

// misnamed describes what is wrong with a node's identity after a step, unless the node has ended.
// The last argument is the incarnation of its first incarnation.
func (s *System[S, M, C]) misnamed(node int, after S, first uint16) string {
	id := s.Identity(after)
	switch {
	case s.Stopped(after):
		return ""
	case int(id.Address) != node:
		return fmt.Sprintf(
			"node %d (%s) has the address %d in its identity; it must be its index in Nodes",
			node,
			s.Nodes[node].Name,
			id.Address,
		)
	case id.Incarnation < first:
		return fmt.Sprintf(
			"node %d (%s) has the incarnation %d, and had %d in its first life; incarnations must grow: "+
				"a core that restarts takes a larger one than it had persisted",
			node,
			s.Nodes[node].Name,
			id.Incarnation,
			first,
		)
	}
	return ""
}

// validate checks a description.
func (s *System[S, M, C]) validate() error {
	switch {
	case s.Info.Name == "":
		return fmt.Errorf("%w: it has no Info.Name", ErrSystem)
	case s.Core == nil:
		return fmt.Errorf("%w: it has no Core", ErrSystem)
	case s.Identity == nil:
		return fmt.Errorf("%w: it has no Identity", ErrSystem)
	case len(s.Nodes) == 0:
		return fmt.Errorf("%w: it has no Nodes", ErrSystem)
	}
	if len(s.Nodes) > MaxNodes {
		return fmt.Errorf("%w: a system of %d nodes; at most %d are possible", ErrNodes, len(s.Nodes), MaxNodes)
	}
	if err := s.withDefaults().validateNodes(); err != nil {
		return err
	}
	for i, o := range s.Prelude {
		if o.Node < 0 || o.Node >= len(s.Nodes) {
			return fmt.Errorf("%w: Prelude[%d] is for node %d of %d", ErrSystem, i, o.Node, len(s.Nodes))
		}
	}
	if err := s.validateProperties(); err != nil {
		return err
	}
	if err := s.validateBudget(); err != nil {
		return err
	}
	if err := s.validateNetwork(); err != nil {
		return err
	}
	if err := s.validateOptional(); err != nil {
		return err
	}
	return s.withDefaults().validateSymmetry()
}

// validateOptional checks that each entry of Optional names a class that would be fair.
func (s *System[S, M, C]) validateOptional() error {
	known := map[string]bool{}
	for kind := range actionKinds {
		for _, node := range s.Nodes {
			known[kind.String()] = kind.fair()
			known[className(kind, node.Name)] = kind.fair()
		}
	}
	for _, name := range s.Optional {
		switch fair, ok := known[name]; {
		case !ok:
			return fmt.Errorf("%w: Optional names %q; it must be deliver, timeout, chosen or measured, "+
				"or one of them at a node: deliver@%s", ErrSystem, name, s.Nodes[0].Name)
		case !fair:
			return fmt.Errorf("%w: Optional names %q, which no run has to take in any case; leave it out",
				ErrSystem, name)
		}
	}
	return nil
}

// optional reports whether nothing forces actions of a kind at a node that would be fair otherwise.
func (s *System[S, M, C]) optional(kind actionKind, node string) bool {
	return len(s.Optional) > 0 && (slices.Contains(s.Optional, kind.String()) ||
		slices.Contains(s.Optional, className(kind, node)))
}

// className names the class of the actions of a kind at a node.
func className(kind actionKind, node string) string { return kind.String() + "@" + node }

// validateProperties checks the properties.
func (s *System[S, M, C]) validateProperties() error {
	var all []checker.Property
	for _, p := range s.Properties {
		all = append(all, p.Property)
	}
	if err := checker.ValidateProperties(all); err != nil {
		return fmt.Errorf("%w: %w", ErrSystem, err)
	}
	for _, p := range s.Properties {
		switch {
		case p.Holds == nil:
			return fmt.Errorf("%w: property %q has no Holds", ErrSystem, p.Name)
		case !p.Shape.Live() && p.Triggers != nil:
			return fmt.Errorf("%w: property %q (%v) has Triggers, which only LeadsTo, Reaches and AlmostSurely have; "+
				"write the condition into Holds", ErrSystem, p.Name, p.Shape)
		case p.Shape.Live() && p.Triggers == nil:
			return fmt.Errorf("%w: property %q has no Triggers, which its shape (%v) needs", ErrSystem, p.Name, p.Shape)
		}
	}
	for _, e := range s.Info.Expected {
		if e.Property != checker.Deadlock &&
			!slices.ContainsFunc(all, func(p checker.Property) bool { return p.Name == e.Property }) {
			return fmt.Errorf("%w: Info.Expected names %q, which is none of the properties", ErrSystem, e.Property)
		}
	}
	return nil
}

// validateNodes checks the names and identities of the nodes. No function of s is missing.
func (s *System[S, M, C]) validateNodes() error {
	for i, node := range s.Nodes {
		if err := readable(node.Name); err != nil {
			return fmt.Errorf("%w: node %d: %w", ErrSystem, i, err)
		}
		if slices.ContainsFunc(s.Nodes[:i], func(n Node[S, C]) bool { return n.Name == node.Name }) {
			return fmt.Errorf("%w: two nodes are named %q", ErrSystem, node.Name)
		}
		state, started := s.begun(node)
		if problem := s.misnamed(i, state, 0); problem != "" {
			when := ""
			if started {
				when = "after an input of kind start "
			}
			return fmt.Errorf("%w: %s%s", ErrSystem, when, problem)
		}
	}
	return nil
}

// readable checks that a node can have this name in a trace, where some names are taken.
func readable(name string) error {
	switch {
	case slices.Contains([]string{"network", "arrived", "past", "monitor", "budget"}, name):
		return fmt.Errorf("the name %q is taken by another variable of traces", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("the name %q does not fit in a line", name)
	}
	return nil
}

// begun returns the state in which a node begins its first incarnation, and whether it was started
// for that.
func (s *System[S, M, C]) begun(node Node[S, C]) (state S, started bool) {
	if s.Identity(node.State).Incarnation != 0 {
		return node.State, false
	}
	state, _ = s.Core.Step(node.State, protocol.Input[M, C]{Kind: protocol.Start})
	return state, true
}

func (s *System[S, M, C]) validateBudget() error {
	b := s.Info.Budget
	for f, n := range b.list() {
		if n < 0 || n > maxBudget {
			return fmt.Errorf("%w: %s %d; it must be from 0 to %d", ErrBudget, faultNames[f], n, maxBudget)
		}
	}
	if b.Adversarial && (b.Repeat || b.Duplicate+b.Late > 0) {
		return fmt.Errorf("%w: adversarial delivery with repeat, duplicate or late; it includes them, so leave them out",
			ErrBudget)
	}
	if b.Repeat && b.Late > 0 {
		return fmt.Errorf("%w: late %d with repeat; use adversarial delivery, which includes both", ErrBudget, b.Late)
	}
	if b.Repeat && b.Duplicate > 0 {
		return fmt.Errorf("%w: duplicate %d with repeat; repeat alone is unbounded duplication",
			ErrBudget, b.Duplicate)
	}
	if b.Crash >= len(s.Nodes) {
		return fmt.Errorf("%w: crash %d with %d nodes; at least one node must survive, so at most %d",
			ErrBudget, b.Crash, len(s.Nodes), len(s.Nodes)-1)
	}
	if b.Restart > b.Crash {
		return fmt.Errorf("%w: restart %d with crash %d; only a crashed node restarts, so raise crash",
			ErrBudget, b.Restart, b.Crash)
	}
	return nil
}
