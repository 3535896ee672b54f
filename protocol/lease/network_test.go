package lease_test

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/lease"
)

type (
	core    = protocol.Core[lease.State, lease.Message, lease.Command]
	network = drivetest.Network[lease.State, lease.Message, lease.Command]
)

var (
	nodeA = protocol.NodeID{Address: 0, Incarnation: 1}
	nodeB = protocol.NodeID{Address: 1, Incarnation: 1}
	nodeC = protocol.NodeID{Address: 2, Incarnation: 1}
)

// routed is the core with a driver that sends a message for any incarnation to the running one.
type routed struct {
	core
	net *network
}

// Step takes a step of the core, and addresses what it sends.
func (r *routed) Step(s lease.State, in lease.Input) (lease.State, lease.Output) {
	s, out := r.core.Step(s, in)
	for i := range out.Send {
		if to := &out.Send[i].To; to.Incarnation == 0 {
			*to = r.net.At(*to).ID()
		}
	}
	return s, out
}

// config returns a configuration in which the first nodes are the witnesses.
func config(witnesses int) lease.Config {
	var all []protocol.Address
	for a := range witnesses {
		all = append(all, protocol.Address(a))
	}
	return lease.DefaultConfig(all...)
}

// newNetwork returns a network of nodes that do not run yet.
func newNetwork(nodes, witnesses int) *network {
	return networkOf(nodes, &lease.Core{Config: config(witnesses)})
}

func networkOf(nodes int, c core) *network {
	r := &routed{core: c}
	net := drivetest.New(core(r), func(s lease.State) protocol.NodeID { return s.Self })
	r.net = net
	for i := range nodes {
		net.Add(lease.New(protocol.Address(i)))
	}
	return net
}

func asked(id protocol.NodeID) lease.Command {
	return lease.Command{Kind: lease.CommandAsk, Node: id}
}

func given(c lease.Command) lease.Input {
	return lease.Input{Kind: protocol.Command, Command: c}
}

func from(id protocol.NodeID, m lease.Message) lease.Input {
	return lease.Input{Kind: protocol.Deliver, From: id, Message: m}
}

func fired(t protocol.Timer) lease.Input {
	return lease.Input{Kind: protocol.Timeout, Timer: t}
}

// after takes steps of a node with one to three witnesses, and returns its state and the output of
// the last step.
func after(witnesses int, s lease.State, inputs ...lease.Input) (lease.State, lease.Output) {
	cfg := config(witnesses)
	var out lease.Output
	for _, in := range inputs {
		s, out = lease.Step(&cfg, s, in)
	}
	return s, out
}
