package dtm

import "github.com/canvass-grid/canvass/protocol"

type decoder struct{ *protocol.Reader }

func newDecoder(src []byte) decoder { return decoder{protocol.NewReader(src)} }

func (d decoder) uint32() uint32 { return uint32(d.Uint(1<<32 - 1)) }

// length reads a length or coordinate, which is never negative.
func (d decoder) length() int64 {
	v := d.Int(maxLength)
	if v < 0 {
		d.Fail()
	}
	return v
}

// sorted fails unless the identities of a list increase.
func sorted[T any](d decoder, list []T, id func(T) protocol.NodeID) []T {
	for i := 1; i < len(list); i++ {
		if id(list[i-1]).Compare(id(list[i])) >= 0 {
			d.Fail()
		}
	}
	return list
}

func (d decoder) ids() []protocol.NodeID { return protocol.List(d.Reader, d.NodeID) }

func (d decoder) sortedIDs() []protocol.NodeID {
	return sorted(d, d.ids(), func(id protocol.NodeID) protocol.NodeID { return id })
}

func (d decoder) label() Label {
	list := protocol.List(d.Reader, func() Hop { return Hop{Host: d.NodeID(), At: d.length(), Length: d.length()} })
	if len(list) > mostHops {
		d.Fail()
	}
	return list
}

func (d decoder) labels() []Label { return protocol.List(d.Reader, d.label) }

func (d decoder) child() Child { return Child{Host: d.NodeID(), At: d.length(), Length: d.length()} }

func (d decoder) children() []Child {
	return sorted(d, protocol.List(d.Reader, d.child), func(c Child) protocol.NodeID { return c.Host })
}

func (d decoder) view() View {
	return View{Label: d.label(), Children: d.children(), Siblings: d.children()}
}

func (d decoder) answer() Answer {
	a := Answer{Kind: AnswerKind(d.Uint(uint64(AnswerReadings)))}
	switch a.Kind {
	case AnswerDrawn:
		a.Drawn = d.ids()
	case AnswerView:
		a.Version, a.View = d.uint32(), d.view()
	case AnswerReadings:
		a.Readings = protocol.List(d.Reader, func() Reading { return Reading{Label: d.label(), Measured: d.length()} })
	default:
		d.Fail()
	}
	return a
}

func (d decoder) attach() Attach {
	return Attach{Version: d.uint32(), At: d.length(), Length: d.length()}
}

func (d decoder) search() Search {
	latency := func() Latency { return Latency{Host: d.NodeID(), Length: d.length()} }
	return Search{
		Members:   d.ids(),
		Latencies: sorted(d, protocol.List(d.Reader, latency), func(l Latency) protocol.NodeID { return l.Host }),
		Refusals:  int(d.Uint(1 << 16)),
		Tries:     int(d.Uint(1 << 8)),
		Answers:   protocol.List(d.Reader, d.answer),
		Awaits:    protocol.List(d.Reader, func() Await { return Await{Host: d.NodeID(), Label: d.label()} }),
		Look:      d.NodeID(), Anchor: d.NodeID(), Asked: d.attach(),
	}
}

func (d decoder) departure() Departure {
	return Departure{
		Stage: LeaveStage(d.Uint(uint64(Committed))), Round: d.uint32(), Waiting: d.sortedIDs(),
	}
}

func (d decoder) branch() Branch {
	return Branch{Child: d.child(), Acked: d.uint32(), Gone: d.Bool()}
}

func (d decoder) link() Link {
	return Link{
		Peer: d.NodeID(), Heard: d.labels(), HeardVersion: d.uint32(),
		Sent: d.labels(), SentVersion: d.uint32(), Acked: d.Bool(),
	}
}

// DecodeState decodes the output of AppendState.
func DecodeState(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{
		ID: d.NodeID(), Phase: Phase(d.Uint(uint64(Departed))), Search: d.search(), Departure: d.departure(),
		Segment:  Segment{Anchor: d.NodeID(), At: d.length(), Length: d.length()},
		Above:    d.label(),
		Siblings: d.children(),
		Heard:    d.uint32(),
		Former:   d.NodeID(),
		Version:  d.uint32(),
		Branches: sorted(d, protocol.List(d.Reader, d.branch), func(b Branch) protocol.NodeID { return b.Host }),
		Lock:     Lock{Holder: d.NodeID(), Round: d.uint32()},
		Links:    sorted(d, protocol.List(d.Reader, d.link), func(l Link) protocol.NodeID { return l.Peer }),
	}
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(src []byte) (Message, error) {
	d := newDecoder(src)
	var m Message
	switch d.Uint(tagBeat) {
	case tagLook:
		m = Look{}
	case tagReport:
		m = Report{Version: d.uint32(), View: d.view()}
	case tagAttach:
		m = d.attach()
	case tagRefuse:
		m = Refuse{Version: d.uint32()}
	case tagPosition:
		m = Position{Version: d.uint32(), Label: d.label(), Children: d.children()}
	case tagPositionOK:
		m = PositionOK{Version: d.uint32()}
	case tagLeaving:
		m = Leaving{Round: d.uint32()}
	case tagConsent:
		m = Consent{Round: d.uint32()}
	case tagObject:
		m = Object{Round: d.uint32()}
	case tagRelease:
		m = Release{Round: d.uint32()}
	case tagLeft:
		m = Left{Round: d.uint32()}
	case tagLeftOK:
		m = LeftOK{Round: d.uint32()}
	case tagClaim:
		c := d.child()
		m = Claim{Former: c.Host, At: c.At, Length: c.Length}
	case tagAggregate:
		m = Aggregate{Version: d.uint32(), Labels: d.labels()}
	case tagAggregateOK:
		m = AggregateOK{Version: d.uint32()}
	case tagBeat:
		m = Beat{}
	default:
		d.Fail()
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return m, nil
}

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(src []byte) (Command, error) {
	d := newDecoder(src)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandLeave))), Nodes: d.ids()}
	if c.Kind == 0 {
		d.Fail()
	}
	return c, d.Close()
}
