package lease

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(src []byte) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src)}}
}

func (d decoder) uint16() uint16 { return uint16(d.Uint(1<<16 - 1)) }

func (d decoder) reason() Reason { return Reason(d.Uint(uint64(Looked))) }

func (d decoder) view() View {
	return View{
		Generation: d.Uint32(), Founder: d.NodeID(), Promised: d.Uint32(), Promisee: d.NodeID(),
		Vacant: d.Bool(), Contact: d.NodeID(),
	}
}

func (d decoder) answer() Answer {
	return Answer{Kind: AnswerKind(d.Uint(uint64(Refusal))), Reason: d.reason(), View: d.view()}
}

func (d decoder) opinion() Opinion { return Opinion(d.Uint(uint64(SaysAlive))) }

func (d decoder) question() Question {
	return Question{Node: d.NodeID(), Verdicts: protocol.List(d.Reader, d.opinion)}
}

func (d decoder) life() Life {
	return Life{
		Address: protocol.Address(d.Uint32()), Incarnation: d.uint16(), Nonce: d.Uint32(), Condemned: d.uint16(),
	}
}

func (d decoder) grant() Grant {
	return Grant{Holder: d.NodeID(), Round: d.Uint32(), Member: d.Bool()}
}

// record reads the durable part of a witness. The addresses must increase.
func (d decoder) record() Witness {
	w := Witness{
		Generation: d.Uint32(), Founder: d.NodeID(), Closed: d.Uint32(), Promised: d.Uint32(), Promisee: d.NodeID(),
		Lives: protocol.List(d.Reader, d.life),
	}
	for i := 1; i < len(w.Lives); i++ {
		if w.Lives[i-1].Address >= w.Lives[i].Address {
			d.Fail()
		}
	}
	return w
}

// DecodeState decodes the output of AppendState.
func DecodeState(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{
		Self: d.NodeID(), Phase: Phase(d.Uint(uint64(Fenced))), Nonce: d.Uint32(), Generation: d.Uint32(),
		Founder: d.NodeID(), Contact: d.NodeID(), Round: d.Uint32(), Settled: d.Bool(), Entered: d.Bool(),
		Answers: protocol.List(d.Reader, d.answer), Asks: protocol.List(d.Reader, d.question),
		Dead: protocol.List(d.Reader, d.NodeID), Witness: d.record(),
	}
	s.Witness.Grace, s.Witness.Behind, s.Witness.Grants = d.Bool(), d.Bool(), protocol.List(d.Reader, d.grant)
	for i := 1; i < len(s.Witness.Grants); i++ {
		if s.Witness.Grants[i-1].Holder.Address >= s.Witness.Grants[i].Holder.Address {
			d.Fail()
		}
	}
	return s, d.Close()
}

// decodeDurable decodes the output of appendDurable.
func decodeDurable(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{Self: d.NodeID(), Witness: d.record()}
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(src []byte) (Message, error) {
	d := newDecoder(src)
	m := Message{Kind: MessageKind(d.Uint(uint64(Verdict)))}
	switch m.Kind {
	case 0:
		d.Fail()
	case Look:
		m.Nonce = d.Uint32()
	case Found:
		m.Generation, m.Nonce = d.Uint32(), d.Uint32()
	case Renew:
		m.Generation, m.Founder, m.Round, m.Nonce, m.Member = d.Uint32(), d.NodeID(), d.Uint32(), d.Uint32(), d.Bool()
	case Ask:
		m.Peer = d.NodeID()
	case Promised:
		m.Generation = d.Uint32()
	case Granted:
		m.Round, m.Peer = d.Uint32(), d.NodeID()
	case Refused:
		m.Round, m.Reason, m.View = d.Uint32(), d.reason(), d.view()
	case Verdict:
		m.Peer, m.Condemned = d.NodeID(), d.Bool()
	}
	return m, d.Close()
}

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(src []byte) (Command, error) {
	d := newDecoder(src)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandEntered)))}
	switch c.Kind {
	case 0:
		d.Fail()
	case CommandAsk:
		c.Node = d.NodeID()
	}
	return c, d.Close()
}
