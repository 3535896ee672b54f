package muster

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(src []byte) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src)}}
}

func (d decoder) ports() []uint16 {
	ports := protocol.List(d.Reader, func() uint16 { return uint16(d.Uint(1<<16 - 1)) })
	if len(ports) > PortLimit {
		d.Fail()
	}
	return ports
}

func (d decoder) place() Place { return Place{Host: d.NodeID(), Ports: d.ports()} }

func (d decoder) places() []Place { return protocol.List(d.Reader, d.place) }

func (d decoder) status() Status {
	return Status{
		Cause: Cause(d.Uint(uint64(Unkept))), Code: d.Uint32(), Signal: uint8(d.Uint(1<<8 - 1)), Halted: d.Bool(),
	}
}

func (d decoder) reason() Reason { return Reason(d.Uint(uint64(TaskLost))) }

func (d decoder) member() Member {
	return Member{
		Host: d.NodeID(), State: MemberState(d.Uint(uint64(MemberClosed))), Ports: d.ports(), Status: d.status(),
	}
}

func (d decoder) host() Host {
	h := Host{Phase: HostPhase(d.Uint(uint64(HostKeeping)))}
	if h.Phase == HostAbsent {
		return h
	}
	h.Rep, h.Ports, h.Rank, h.Places = d.NodeID(), d.ports(), d.Uint32(), d.places()
	h.Halted, h.Status, h.Noted = d.reason(), d.status(), d.Bool()
	return h
}

// rep reads a representative, whose members must increase.
func (d decoder) rep() Rep {
	r := Rep{Phase: RepPhase(d.Uint(uint64(RepClosed)))}
	if r.Phase == RepAbsent {
		return r
	}
	r.HaltOnFailure, r.Reason, r.Members = d.Bool(), d.reason(), protocol.List(d.Reader, d.member)
	for i := 1; i < len(r.Members); i++ {
		if r.Members[i-1].Host.Compare(r.Members[i].Host) >= 0 {
			d.Fail()
		}
	}
	return r
}

// DecodeState decodes the output of AppendState.
func DecodeState(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{Self: d.NodeID(), Ended: d.Bool(), Host: d.host(), Rep: d.rep()}
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(src []byte) (Message, error) {
	d := newDecoder(src)
	m := Message{Kind: MessageKind(d.Uint(uint64(Closed)))}
	switch m.Kind {
	case 0:
		d.Fail()
	case Here:
		m.Ports = d.ports()
	case Go:
		m.Rank, m.Places = d.Uint32(), d.places()
	case Exit:
		m.Status = d.status()
	case Halt:
		m.Reason = d.reason()
	}
	return m, d.Close()
}

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(src []byte) (Command, error) {
	d := newDecoder(src)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandKept)))}
	switch c.Kind {
	case 0:
		d.Fail()
	case CommandHost:
		c.Rep, c.Ports = d.NodeID(), d.ports()
	case CommandExited, CommandKeep:
		c.Code, c.Signal = d.Uint32(), uint8(d.Uint(1<<8-1))
	case CommandRepresent:
		c.Hosts, c.HaltOnFailure = protocol.List(d.Reader, d.NodeID), d.Bool()
	case CommandPermit:
		c.Granted = d.Bool()
	case CommandKept:
		c.Kept = d.Bool()
	case CommandHalt:
		c.Reason = d.reason()
	}
	return c, d.Close()
}
