// Package payments is a client that asks a bank for payments, over a network that drops messages.
// It was made by "canvass new": replace it with your own protocol.
package payments

import "github.com/canvass-grid/canvass/protocol"

// State is the state of a node: of the client, or of the bank.
type State struct {
	Self    protocol.NodeID // the node itself
	Peer    protocol.NodeID // the bank, for the client
	Request uint8           // the number of the client's last request
	Waiting bool            // the client waits for the confirmation
	Last    uint8           // the number of the last request that the bank carried out
	Paid    uint8           // how many payments the bank made
}

// Message is a request to pay or, if Confirmed, the answer to it.
type Message struct {
	Request   uint8
	Confirmed bool
}

// Pay is the command that the application gives to the client.
type Pay struct{}

// retry fires when the client has waited long enough for a confirmation.
const retry protocol.TimerKind = 1

type (
	input  = protocol.Input[Message, Pay]
	output = protocol.Output[Message]
)

// step is the core: a state and one input make the next state and what the driver has to do. It is
// pure, so a daemon can run the same function that the check explores.
func step(s State, in input) (State, output) {
	var e protocol.Effects[Message]
	ask := func() {
		e.Send(s.Self, s.Peer, Message{Request: s.Request})
		timer := protocol.Timer{Kind: retry}
		e.Out.Set = append(e.Out.Set, protocol.SetTimer{Timer: timer, MinTicks: 100, MaxTicks: 100})
	}
	switch {
	case in.Kind == protocol.Command && !s.Waiting:
		s.Request, s.Waiting = s.Request+1, true
		ask()
	case in.Kind == protocol.Timeout:
		ask()
	case in.Kind == protocol.Deliver && in.Message.Confirmed:
		if s.Waiting && in.Message.Request == s.Request {
			s.Waiting = false
			e.Out.Cancel = append(e.Out.Cancel, protocol.Timer{Kind: retry})
		}
	case in.Kind == protocol.Deliver:
		if true { // BUG: a request that was carried out is carried out again
			s.Last, s.Paid = in.Message.Request, s.Paid+1
		}
		e.Send(s.Self, in.From, Message{Request: in.Message.Request, Confirmed: true})
	}
	return s, e.Out
}
