package lease

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Loan is a client's request for the lock, and then the loan.
type Loan struct {
	To     protocol.NodeID // NoNode: there is no loan
	Serial uint8           // of the client's requests
}

// State is the state of the server, at address 0, or of a client.
type State struct {
	Self protocol.NodeID

	Lent  Loan   // the present loan
	Queue []Loan // the requests that wait

	Late   bool  // the client counts its time from the Grant, not from the Ask
	Serial uint8 // of its last request
	Asking bool
	Holds  bool
}

// Message is an Ask of a client or the Grant that answers it.
type Message struct {
	Grant  bool
	Serial uint8
}

// Acquire is the command that makes a client ask for the lock.
type Acquire struct{}

// The timers. Lapse ends a client's lease, and Expire the server's record of it.
const (
	Lapse protocol.TimerKind = iota + 1
	Expire
)

type (
	input  = protocol.Input[Message, Acquire]
	output = protocol.Output[Message]
)

// step is the core.
func step(s State, in input) (State, output) {
	var out output
	switch in.Kind {
	case protocol.Start:
		s.Self.Incarnation = 1
	case protocol.Command:
		s.ask(&out)
	case protocol.Deliver:
		if in.Message.Grant {
			s.granted(in.Message.Serial, &out)
		} else {
			s.Queue = append(slices.Clone(s.Queue), Loan{in.From, in.Message.Serial})
			s.lend(&out)
		}
	case protocol.Timeout:
		if in.Timer.Kind == Lapse {
			s.Asking, s.Holds = false, false
		} else {
			s.Lent = Loan{}
			s.lend(&out)
		}
	}
	return s, out
}

func (s *State) ask(out *output) {
	if s.Asking || s.Holds {
		return
	}
	s.Serial, s.Asking = s.Serial+1, true
	s.send(out, protocol.NodeID{Address: 0, Incarnation: 1}, Message{Serial: s.Serial})
	if !s.Late {
		s.start(out, Lapse)
	}
}

// granted handles a Grant. The client ignores a Grant that comes too late or answers an earlier
// request.
func (s *State) granted(serial uint8, out *output) {
	if !s.Asking || serial != s.Serial {
		return
	}
	s.Asking, s.Holds = false, true
	if s.Late {
		s.start(out, Lapse)
	}
}

// lend lends the lock to the next client in the queue, if the lock is free.
func (s *State) lend(out *output) {
	if s.Lent != (Loan{}) || len(s.Queue) == 0 {
		return
	}
	s.Lent, s.Queue = s.Queue[0], slices.Clone(s.Queue[1:])
	s.send(out, s.Lent.To, Message{Grant: true, Serial: s.Lent.Serial})
	s.start(out, Expire)
}

func (s *State) send(out *output, to protocol.NodeID, m Message) {
	out.Send = append(out.Send, protocol.Envelope[Message]{From: s.Self, To: to, Message: m})
}

func (s *State) start(out *output, kind protocol.TimerKind) {
	out.Set = append(out.Set, protocol.SetTimer{Timer: protocol.Timer{Kind: kind}, MinTicks: 100, MaxTicks: 100})
}
