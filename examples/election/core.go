package election

import "github.com/canvass-grid/canvass/protocol"

// State is the state of a node of the ring.
type State struct {
	Self, Next protocol.NodeID // Next is the neighbour that the node sends to
	ID         uint8           // unique on the ring; the highest wins
	Joined     bool            // the node has sent or forwarded a candidate
	Leader     uint8           // the ID of the leader; 0: not known yet
}

// Message is a candidate on its way around the ring or, if Elected, the announcement of the winner.
type Message struct {
	ID      uint8
	Elected bool
}

// Start is the command that makes a node begin an election.
type Start struct{}

type (
	input  = protocol.Input[Message, Start]
	output = protocol.Output[Message]
)

// core returns the step function of a node: a state and one input make the next state and the
// messages to send. With keepAll it is wrong: the node forwards candidates that cannot win.
func core(keepAll bool) func(State, input) (State, output) {
	return func(s State, in input) (State, output) {
		var out output
		send := func(m Message) {
			out.Send = append(out.Send, protocol.Envelope[Message]{From: s.Self, To: s.Next, Message: m})
		}
		own, m := Message{ID: s.ID}, in.Message
		switch {
		case in.Kind == protocol.Command && s.Joined:
			// An election is under way.
		case in.Kind == protocol.Command:
			s.Joined = true
			send(own)
		case m.Elected && m.ID == s.ID:
			// The announcement is back where it began.
		case m.Elected:
			s.Leader = m.ID
			send(m)
		case m.ID == s.ID: // the candidate passed all nodes, so no ID is higher
			s.Leader = s.ID
			send(Message{ID: s.ID, Elected: true})
		case m.ID > s.ID || keepAll:
			s.Joined = true
			send(m)
		case !s.Joined: // a lower candidate wakes the node
			s.Joined = true
			send(own)
		}
		return s, out
	}
}
