package muster_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// generator draws values that the decoders accept. They need not make sense together.
type generator struct{ *rapid.T }

func (g generator) id() protocol.NodeID {
	return protocol.NodeID{
		Address:     protocol.Address(rapid.Uint32Max(4).Draw(g.T, "address")),
		Incarnation: rapid.Uint16Max(2).Draw(g.T, "life"),
	}
}

func (g generator) number() uint32 {
	return rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32()).Draw(g.T, "number")
}

func (g generator) flag() bool { return rapid.Bool().Draw(g.T, "flag") }

func (g generator) below(n int) uint8 { return uint8(rapid.IntRange(0, n-1).Draw(g.T, "below")) }

// few draws a list of up to three things; an empty one is nil, as decoders have it.
func few[T any](g generator, one func() T) []T {
	var list []T
	for range rapid.IntRange(0, 3).Draw(g.T, "few") {
		list = append(list, one())
	}
	return list
}

func (g generator) ports() []uint16 {
	return few(g, func() uint16 { return rapid.Uint16().Draw(g.T, "port") })
}

func (g generator) places() []muster.Place {
	return few(g, func() muster.Place { return muster.Place{Host: g.id(), Ports: g.ports()} })
}

func (g generator) status() muster.Status {
	return muster.Status{
		Cause: muster.Cause(g.below(6)), Code: g.number(), Signal: g.below(256), Halted: g.flag(),
	}
}

func (g generator) reason() muster.Reason { return muster.Reason(g.below(8)) }

func (g generator) hosts() []protocol.NodeID {
	ids := few(g, g.id)
	slices.SortFunc(ids, protocol.NodeID.Compare)
	return slices.Compact(ids)
}

func (g generator) state() muster.State {
	s := muster.State{Self: g.id(), Ended: g.flag()}
	if phase := muster.HostPhase(g.below(6)); phase > 0 {
		s.Host = muster.Host{
			Phase: phase, Rep: g.id(), Ports: g.ports(), Rank: g.number(), Places: g.places(), Halted: g.reason(),
			Status: g.status(), Noted: g.flag(),
		}
	}
	if phase := muster.RepPhase(g.below(8)); phase > 0 {
		s.Rep = muster.Rep{Phase: phase, HaltOnFailure: g.flag(), Reason: g.reason()}
		for _, id := range g.hosts() {
			s.Rep.Members = append(s.Rep.Members, muster.Member{
				Host: id, State: muster.MemberState(g.below(5)), Ports: g.ports(), Status: g.status(),
			})
		}
	}
	return s
}

func (g generator) message() muster.Message {
	m := muster.Message{Kind: muster.MessageKind(1 + g.below(8))}
	switch m.Kind {
	case muster.Here:
		m.Ports = g.ports()
	case muster.Go:
		m.Rank, m.Places = g.number(), g.places()
	case muster.Exit:
		m.Status = g.status()
	case muster.Halt:
		m.Reason = g.reason()
	}
	return m
}

func (g generator) command() muster.Command {
	c := muster.Command{Kind: muster.CommandKind(1 + g.below(11))}
	switch c.Kind {
	case muster.CommandHost:
		c.Rep, c.Ports = g.id(), g.ports()
	case muster.CommandExited, muster.CommandKeep:
		c.Code, c.Signal = g.number(), g.below(256)
	case muster.CommandRepresent:
		c.Hosts, c.HaltOnFailure = few(g, g.id), g.flag()
	case muster.CommandPermit:
		c.Granted = g.flag()
	case muster.CommandKept:
		c.Kept = g.flag()
	case muster.CommandHalt:
		c.Reason = g.reason()
	}
	return c
}

// input draws anything that may reach a node.
func (g generator) input() muster.Input {
	switch g.below(4) {
	case 0:
		return given(g.command())
	case 1:
		kind := rapid.SampledFrom([]protocol.TimerKind{muster.ResendTimer, 99}).Draw(g.T, "timer")
		return muster.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind}}
	}
	return from(g.id(), g.message())
}
