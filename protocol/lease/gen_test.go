package lease_test

import (
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
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

func (g generator) view() lease.View {
	return lease.View{
		Generation: g.number(), Founder: g.id(), Promised: g.number(), Promisee: g.id(),
		Vacant: g.flag(), Contact: g.id(),
	}
}

func (g generator) answer() lease.Answer {
	return lease.Answer{Kind: lease.AnswerKind(g.below(3)), Reason: lease.Reason(g.below(8)), View: g.view()}
}

func (g generator) question() lease.Question {
	return lease.Question{Node: g.id(), Verdicts: few(g, func() lease.Opinion { return lease.Opinion(g.below(3)) })}
}

func (g generator) witness() lease.Witness {
	w := lease.Witness{
		Generation: g.number(), Founder: g.id(), Closed: g.number(), Promised: g.number(), Promisee: g.id(),
		Grace: g.flag(), Behind: g.flag(),
	}
	for a := range protocol.Address(4) {
		if g.flag() {
			w.Lives = append(w.Lives, lease.Life{
				Address: a, Incarnation: uint16(g.below(3)), Nonce: g.number(), Condemned: uint16(g.below(3)),
			})
		}
		if g.flag() {
			holder := protocol.NodeID{Address: a, Incarnation: uint16(g.below(3))}
			w.Grants = append(w.Grants, lease.Grant{Holder: holder, Round: g.number(), Member: g.flag()})
		}
	}
	return w
}

func (g generator) state() lease.State {
	return lease.State{
		Self: g.id(), Phase: lease.Phase(g.below(7)), Nonce: g.number(), Generation: g.number(), Founder: g.id(),
		Contact: g.id(), Round: g.number(), Settled: g.flag(), Entered: g.flag(), Answers: few(g, g.answer),
		Asks: few(g, g.question), Dead: few(g, g.id), Witness: g.witness(),
	}
}

func (g generator) message() lease.Message {
	m := lease.Message{Kind: lease.MessageKind(1 + g.below(8))}
	switch m.Kind {
	case lease.Look:
		m.Nonce = g.number()
	case lease.Found:
		m.Generation, m.Nonce = g.number(), g.number()
	case lease.Renew:
		m.Generation, m.Founder, m.Round, m.Nonce, m.Member = g.number(), g.id(), g.number(), g.number(), g.flag()
	case lease.Ask:
		m.Peer = g.id()
	case lease.Promised:
		m.Generation = g.number()
	case lease.Granted:
		m.Round, m.Peer = g.number(), g.id()
	case lease.Refused:
		m.Round, m.Reason, m.View = g.number(), lease.Reason(g.below(8)), g.view()
	case lease.Verdict:
		m.Peer, m.Condemned = g.id(), g.flag()
	}
	return m
}

func (g generator) command() lease.Command {
	c := lease.Command{Kind: lease.CommandKind(1 + g.below(3))}
	if c.Kind == lease.CommandAsk {
		c.Node = g.id()
	}
	return c
}

// input draws anything that may reach a node in a state.
func (g generator) input(s lease.State) lease.Input {
	switch g.below(5) {
	case 0:
		return given(g.command())
	case 1:
		return lease.Input{Kind: protocol.Chosen, Choice: g.number()}
	case 2:
		timers := append(s.Timers(), protocol.Timer{Kind: 99})
		return fired(rapid.SampledFrom(timers).Draw(g.T, "timer"))
	}
	return from(g.id(), g.message())
}

// begin draws a node that has just started.
func (g generator) begin() lease.State {
	cfg := config(3)
	s, _ := lease.Step(&cfg, lease.New(protocol.Address(g.below(4))), lease.Input{Kind: protocol.Start})
	return s
}
