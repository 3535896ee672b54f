package custody

import "github.com/canvass-grid/canvass/protocol"

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one custodian's part in one job: it answers an input with the next state and the effects
// that the driver must carry out. It is pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch {
	case n.Over:
		n.Ignore(in.From, "the job is forgotten here, or the disk could not be read")
	case in.Kind == protocol.Start:
	case in.Kind == protocol.Restart:
		n.restart(in.Persisted)
	case in.Kind == protocol.Command:
		n.onCommand(in.Command)
	case in.Kind == protocol.Deliver:
		n.deliver(in.From, in.Message)
	case in.Kind == protocol.Timeout && in.Timer.Kind == ResendTimer:
		n.Out.Send = append(n.Out.Send, n.unanswered()...)
	default:
		n.Ignore(in.From, "no such input")
	}
	if !n.Over {
		n.advance()
	}
	if in.Kind == protocol.Restart && !n.Forming.Active {
		n.Out.Send = append(n.Out.Send, n.unanswered()...)
	}
	if n.stored {
		n.Out.Persist = appendDisk(nil, &n.Disk)
	}
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
	stored bool // the disk has changed
}

// restart begins the next incarnation from the persisted bytes. It has the incarnations of its
// view, and its roles do not go on.
func (n *node) restart(persisted []byte) {
	disk, err := DecodeDisk(persisted)
	switch {
	case len(persisted) == 0:
		return
	case err != nil:
		n.Over = true
		n.Ignore(n.Self, "what was persisted cannot be read")
		return
	}
	n.Disk = disk
	n.learn(disk.View)
}

// deliver takes a message, if it is from an incarnation of another custodian that may still run.
func (n *node) deliver(from protocol.NodeID, m Message) {
	i := n.index(from.Address)
	switch {
	case i < 0 || from.Address == n.Self.Address || from.Incarnation == 0:
		n.Ignore(from, "not from another custodian of this job")
		return
	case from.Incarnation < n.Lives[i].Known || from.Incarnation <= n.Lives[i].Dead:
		n.Ignore(from, "from a life that is over")
		return
	}
	n.Lives[i].Known = from.Incarnation
	switch m.Kind {
	case Hello:
		n.onHello(i, from, m.Number)
	case Prepare:
		n.onPrepare(from, m.Number)
	case Promise:
		n.onPromise(i, from, m)
	case Copy:
		n.onCopy(from, m)
	case Copied:
		n.onCopied(from, m)
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) send(to protocol.NodeID, m Message) { n.Send(n.Self, to, m) }
