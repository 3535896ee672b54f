package muster_test

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/drive/drivetest"
	"github.com/canvass-grid/canvass/protocol/muster"
)

type (
	core    = protocol.Core[muster.State, muster.Message, muster.Command]
	process = drivetest.Process[muster.State, muster.Message, muster.Command]
	network = drivetest.Network[muster.State, muster.Message, muster.Command]
)

var (
	nodeA = protocol.NodeID{Address: 0, Incarnation: 1}
	nodeB = protocol.NodeID{Address: 1, Incarnation: 1}
	nodeC = protocol.NodeID{Address: 2, Incarnation: 1}
)

// newNetwork returns a network of running nodes that have no role yet.
func newNetwork(nodes int) *network {
	net := drivetest.New(core(&muster.Core{Config: muster.DefaultConfig()}), func(s muster.State) protocol.NodeID {
		return s.Self
	})
	for i := range nodes {
		net.Start(net.Add(muster.New(protocol.NodeID{Address: protocol.Address(i), Incarnation: 1})))
	}
	return net
}

func hosted(rep protocol.NodeID, ports ...uint16) muster.Command {
	return muster.Command{Kind: muster.CommandHost, Rep: rep, Ports: ports}
}

func represented(halt bool, hosts ...protocol.NodeID) muster.Command {
	return muster.Command{Kind: muster.CommandRepresent, Hosts: hosts, HaltOnFailure: halt}
}

func granted(yes bool) muster.Command {
	return muster.Command{Kind: muster.CommandPermit, Granted: yes}
}

func exited(code uint32, signal uint8) muster.Command {
	return muster.Command{Kind: muster.CommandExited, Code: code, Signal: signal}
}

// ended is the end of a process whose task has outputs.
func ended(code uint32, signal uint8) muster.Command {
	return muster.Command{Kind: muster.CommandKeep, Code: code, Signal: signal}
}

func kept(all bool) muster.Command { return muster.Command{Kind: muster.CommandKept, Kept: all} }

func halted(why muster.Reason) muster.Command {
	return muster.Command{Kind: muster.CommandHalt, Reason: why}
}

func plain(kind muster.CommandKind) muster.Command { return muster.Command{Kind: kind} }

// step takes a step of one node.
func step(s muster.State, in muster.Input) (muster.State, muster.Output) {
	cfg := muster.DefaultConfig()
	return muster.Step(&cfg, s, in)
}

func given(c muster.Command) muster.Input {
	return muster.Input{Kind: protocol.Command, Command: c}
}

func from(id protocol.NodeID, m muster.Message) muster.Input {
	return muster.Input{Kind: protocol.Deliver, From: id, Message: m}
}

// after takes steps of a node, and returns its state and the output of the last step.
func after(s muster.State, inputs ...muster.Input) (muster.State, muster.Output) {
	var out muster.Output
	for _, in := range inputs {
		s, out = step(s, in)
	}
	return s, out
}
