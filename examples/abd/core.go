package abd

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// replicas are at the first addresses, clients behind them.
const (
	replicas = 3
	majority = replicas/2 + 1
)

// Stamp orders writes: by number, then by writer. The zero Stamp is that of the initial value 0.
type Stamp struct{ Number, Writer uint8 }

func (s Stamp) before(t Stamp) bool {
	return s.Number < t.Number || s.Number == t.Number && s.Writer < t.Writer
}

// Version is a value with its stamp.
type Version struct {
	Stamp Stamp
	Value uint8
}

// Operation is an operation of a client: it writes a value that is not 0, or reads.
type Operation struct{ Write uint8 }

// Phase is a part of an operation.
type Phase uint8

// The phases of a client.
const (
	Idle Phase = iota
	Asking
	Storing
)

// State is the state of a replica, which is a version, or of a client.
type State struct {
	Self   protocol.NodeID
	Latest Version // of a replica: its version; of a client: the version that it has read, or writes

	Todo     []Operation
	Careless bool // reads without storing
	Phase    Phase
	Serial   uint8 // of the phase: answers to earlier ones are late
	Heard    [replicas]bool
}

// Kind is a kind of message.
type Kind uint8

// The messages.
const (
	Ask Kind = iota
	Answer
	Store
	Stored
)

// Message is any message. Version counts in Answer and Store.
type Message struct {
	Kind    Kind
	Serial  uint8
	Version Version
}

// Begin is the command that makes a client begin.
type Begin struct{}

type (
	input  = protocol.Input[Message, Begin]
	output = protocol.Output[Message]
)

// step is the core.
func step(s State, in input) (State, output) {
	var out output
	switch in.Kind {
	case protocol.Command:
		s.begin(&out)
	case protocol.Deliver:
		if s.Self.Address < replicas {
			s.replica(in.From, in.Message, &out)
		} else {
			s.client(int(in.From.Address), in.Message, &out)
		}
	}
	return s, out
}

func (s *State) replica(from protocol.NodeID, m Message, out *output) {
	switch m.Kind {
	case Ask:
		s.send(out, from, Message{Kind: Answer, Serial: m.Serial, Version: s.Latest})
	case Store:
		if s.Latest.Stamp.before(m.Version.Stamp) {
			s.Latest = m.Version
		}
		s.send(out, from, Message{Kind: Stored, Serial: m.Serial})
	}
}

// begin starts the next operation, if there is one.
func (s *State) begin(out *output) {
	s.Phase, s.Latest, s.Heard = Idle, Version{}, [replicas]bool{} // the last operation leaves nothing behind
	if len(s.Todo) == 0 {
		return
	}
	out.Events = append(out.Events, protocol.Event{Name: "call", Peer: s.Self, Number: uint32(s.Todo[0].Write)})
	s.enter(Asking, Message{Kind: Ask}, out)
}

// enter begins a phase with a message to all replicas.
func (s *State) enter(phase Phase, m Message, out *output) {
	s.Phase, s.Heard = phase, [replicas]bool{}
	s.Serial++
	m.Serial = s.Serial
	for to := range protocol.Address(replicas) {
		s.send(out, protocol.NodeID{Address: to, Incarnation: 1}, m)
	}
}

func (s *State) client(from int, m Message, out *output) {
	if s.Phase == Idle || m.Serial != s.Serial || s.Heard[from] {
		return
	}
	s.Heard[from] = true
	if m.Kind == Answer && s.Latest.Stamp.before(m.Version.Stamp) {
		s.Latest = m.Version
	}
	heard := 0
	for _, h := range s.Heard {
		if h {
			heard++
		}
	}
	if heard < majority {
		return
	}
	operation := s.Todo[0]
	switch {
	case s.Phase == Storing || operation.Write == 0 && s.Careless:
		out.Events = append(out.Events, protocol.Event{Name: "return", Peer: s.Self, Number: uint32(s.Latest.Value)})
		s.Todo = slices.Clone(s.Todo[1:])
		s.begin(out)
	case operation.Write != 0:
		s.Latest = Version{Stamp{s.Latest.Stamp.Number + 1, uint8(s.Self.Address)}, operation.Write}
		fallthrough
	default:
		s.enter(Storing, Message{Kind: Store, Version: s.Latest}, out)
	}
}

func (s *State) send(out *output, to protocol.NodeID, m Message) {
	out.Send = append(out.Send, protocol.Envelope[Message]{From: s.Self, To: to, Message: m})
}
