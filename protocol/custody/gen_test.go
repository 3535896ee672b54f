package custody_test

import (
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
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
	return rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32Max(1<<30)).Draw(g.T, "number")
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

func (g generator) view() custody.View {
	return custody.View{Number: g.number(), Members: few(g, g.id)}
}

func (g generator) attempt() custody.Attempt {
	return custody.Attempt{By: g.id(), Epoch: g.number()}
}

func (g generator) digest() custody.Digest {
	return custody.Digest(rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(g.T, "digest"))
}

func (g generator) end() custody.End { return custody.End(g.below(6)) }

func (g generator) record() custody.Record {
	return custody.Record{
		Try: g.number(), Limit: g.number(), Runs: g.number(), Attempt: g.attempt(), Hosts: few(g, g.id), Requested: g.end(),
		End: g.end(), Outcome: g.digest(), Settled: g.flag(),
	}
}

func (g generator) state() custody.State {
	addresses := rapid.Permutation([]protocol.Address{0, 1, 2}).Draw(g.T, "custodians")[:1+g.below(3)]
	self := protocol.NodeID{Address: addresses[g.below(len(addresses))], Incarnation: uint16(g.below(3))}
	s := custody.New(self, addresses)
	for i := range s.Lives {
		s.Lives[i] = custody.Life{Known: uint16(g.below(3)), Dead: uint16(g.below(3))}
	}
	s.Over, s.Wanted, s.Loss = g.below(8) == 0, g.number(), g.flag()
	s.Disk = custody.Disk{Promised: g.number(), Yielded: g.flag(), View: g.view(), Seq: g.number(), Record: g.record()}
	if g.flag() {
		s.Forming = custody.Forming{Active: true, Lives: few(g, g.id), View: g.view(), Seq: g.number(), Record: g.record()}
	}
	s.Primary = custody.Primary{
		Leads: g.flag(), Committed: g.flag(), Record: g.record(), Submitted: g.number(), Accepted: g.flag(),
	}
	if g.flag() {
		for range s.Disk.View.Members {
			s.Primary.Acked = append(s.Primary.Acked, g.flag())
		}
	}
	return s
}

func (g generator) message() custody.Message {
	m := custody.Message{Kind: custody.MessageKind(1 + g.below(5))}
	switch m.Kind {
	case custody.Hello, custody.Prepare:
		m.Number = g.number()
	case custody.Promise:
		m.Number, m.View, m.Seq, m.Record = g.number(), g.view(), g.number(), g.record()
	case custody.Copy:
		m.View, m.Seq, m.Record = g.view(), g.number(), g.record()
	case custody.Copied:
		m.Number, m.Seq = g.number(), g.number()
	}
	return m
}

func (g generator) command() custody.Command {
	c := custody.Command{Kind: custody.CommandKind(1 + g.below(10))}
	switch c.Kind {
	case custody.CommandAccept:
		c.Limit = g.number()
	case custody.CommandDead:
		c.Life = g.id()
	case custody.CommandCancel:
		c.Requested = g.end()
	case custody.CommandTryOver:
		c.Try = g.number()
	case custody.CommandPermit:
		c.Try, c.Attempt, c.Hosts = g.number(), g.attempt(), few(g, g.id)
	case custody.CommandClosed:
		c.Try, c.Attempt, c.Life = g.number(), g.attempt(), g.id()
	case custody.CommandOutcome:
		c.Try, c.Attempt, c.Outcome = g.number(), g.attempt(), g.digest()
	}
	return c
}

// input draws anything that may reach a custodian.
func (g generator) input() custody.Input {
	switch g.below(5) {
	case 0, 1:
		return given(g.command())
	case 2:
		kind := rapid.SampledFrom([]protocol.TimerKind{custody.ResendTimer, 99}).Draw(g.T, "timer")
		return custody.Input{Kind: protocol.Timeout, Timer: protocol.Timer{Kind: kind}}
	}
	return from(g.id(), g.message())
}
