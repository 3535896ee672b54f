package custody_test

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
)

type (
	core    = protocol.Core[custody.State, custody.Message, custody.Command]
	process = drivetest.Process[custody.State, custody.Message, custody.Command]
	network = drivetest.Network[custody.State, custody.Message, custody.Command]
)

var (
	nodeA = protocol.NodeID{Address: 0, Incarnation: 1}
	nodeB = protocol.NodeID{Address: 1, Incarnation: 1}
	nodeC = protocol.NodeID{Address: 2, Incarnation: 1}

	host    = protocol.NodeID{Address: 7, Incarnation: 1}
	attempt = custody.Attempt{By: protocol.NodeID{Address: 6, Incarnation: 1}, Epoch: 1}
)

// anyLife is a core whose messages reach any incarnation of their receivers. An incarnation starts
// with the identity after that of the last one.
type anyLife struct {
	core
	lives map[protocol.Address]uint16
	note  func(text string) // writes what a step did that a network does not log, if not nil
}

func (c *anyLife) Step(s custody.State, in custody.Input) (custody.State, custody.Output) {
	if in.Kind == protocol.Restart || in.Kind == protocol.Start {
		c.lives[s.Self.Address]++
		s = custody.New(protocol.NodeID{Address: s.Self.Address, Incarnation: c.lives[s.Self.Address]}, s.Custodians)
	}
	before := s
	s, out := c.core.Step(s, in)
	if c.note != nil {
		c.observe(before, s, out)
	}
	out.Send = slices.Clone(out.Send)
	for i := range out.Send {
		out.Send[i].To.Incarnation = 1
	}
	return s, out
}

// observe notes the state after a step, if the step changed it, and the driver's duties apart from
// sending messages.
func (c *anyLife) observe(before, after custody.State, out custody.Output) {
	if text := custody.StateText(after); text != custody.StateText(before) {
		c.note(text)
	}
	switch {
	case out.Persist != nil && len(out.Persist) == 0:
		c.note("persist nothing")
	case out.Persist != nil:
		c.note("persist")
	}
	for _, t := range out.Cancel {
		c.note("cancel " + custody.TimerText(t))
	}
	for _, t := range out.Set {
		c.note("set " + custody.TimerText(t.Timer))
	}
}

// newNetwork returns a network of the custodians of a job.
func newNetwork(copies int) *network {
	bound := &anyLife{core: &custody.Core{Config: custody.DefaultConfig()}, lives: map[protocol.Address]uint16{}}
	net := drivetest.New(core(bound), func(s custody.State) protocol.NodeID {
		return protocol.NodeID{Address: s.Self.Address, Incarnation: 1}
	})
	for i := range copies {
		net.Start(net.Add(custody.New(protocol.NodeID{Address: protocol.Address(i)}, addresses(copies))))
	}
	return net
}

func addresses(copies int) []protocol.Address {
	return []protocol.Address{0, 1, 2}[:copies]
}

// dead tells all that run of the end of the present incarnation of a process that does not.
func dead(net *network, p *process) {
	for _, other := range net.Live() {
		net.Command(other, custody.Command{Kind: custody.CommandDead, Life: p.State().Self})
	}
}

func accept() custody.Command { return custody.Command{Kind: custody.CommandAccept, Limit: 2} }

func permit(try uint32, a custody.Attempt) custody.Command {
	return custody.Command{Kind: custody.CommandPermit, Try: try, Attempt: a, Hosts: []protocol.NodeID{host}}
}

func closed(try uint32, a custody.Attempt) custody.Command {
	return custody.Command{Kind: custody.CommandClosed, Try: try, Attempt: a, Life: host}
}

func outcome(try uint32, a custody.Attempt, d custody.Digest) custody.Command {
	return custody.Command{Kind: custody.CommandOutcome, Try: try, Attempt: a, Outcome: d}
}

func cancel() custody.Command {
	return custody.Command{Kind: custody.CommandCancel, Requested: custody.Cancelled}
}

func plain(kind custody.CommandKind) custody.Command { return custody.Command{Kind: kind} }

// step takes a step of one node.
func step(s custody.State, in custody.Input) (custody.State, custody.Output) {
	cfg := custody.DefaultConfig()
	return custody.Step(&cfg, s, in)
}

func given(c custody.Command) custody.Input {
	return custody.Input{Kind: protocol.Command, Command: c}
}

func from(id protocol.NodeID, m custody.Message) custody.Input {
	return custody.Input{Kind: protocol.Deliver, From: id, Message: m}
}

// after takes steps of a node, and returns its state and the output of the last step.
func after(s custody.State, inputs ...custody.Input) (custody.State, custody.Output) {
	var out custody.Output
	for _, in := range inputs {
		s, out = step(s, in)
	}
	return s, out
}

// events lists the texts of the events of an output.
func events(out custody.Output) (all []string) {
	for _, e := range out.Events {
		all = append(all, e.String())
	}
	return all
}
