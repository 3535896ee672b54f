package refine

import "github.com/canvass-grid/canvass/protocol"

type decoder struct{ *protocol.Reader }

func newDecoder(src []byte) decoder { return decoder{protocol.NewReader(src)} }

func (d decoder) uint32() uint32 { return uint32(d.Uint(1<<32 - 1)) }

// sorted fails unless the identities of a list increase.
func sorted[T any](d decoder, list []T, id func(T) protocol.NodeID) []T {
	for i := 1; i < len(list); i++ {
		if id(list[i-1]).Compare(id(list[i])) >= 0 {
			d.Fail()
		}
	}
	return list
}

func (d decoder) ids() []protocol.NodeID {
	return sorted(d, protocol.List(d.Reader, d.NodeID), func(id protocol.NodeID) protocol.NodeID { return id })
}

func (d decoder) readings() []Reading {
	list := protocol.List(d.Reader, func() Reading { return Reading{Peer: d.NodeID(), Micros: d.uint32()} })
	return sorted(d, list, func(r Reading) protocol.NodeID { return r.Peer })
}

func (d decoder) candidate() Candidate {
	return Candidate{ID: d.NodeID(), Status: Status(d.Uint(uint64(Dropped))), Report: d.readings()}
}

func (d decoder) stage() Stage {
	stage := Stage(d.Uint(uint64(Committed)))
	if stage == 0 {
		d.Fail()
	}
	return stage
}

func (d decoder) slot() Slot {
	return Slot{
		Head: d.NodeID(), Stage: d.stage(), Round: d.uint32(), Ceiling: d.uint32(), Sure: d.uint32(),
		Survey: d.readings(), ClusterRound: d.uint32(), Members: d.ids(),
	}
}

// DecodeState decodes the output of AppendState.
func DecodeState(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{
		ID: d.NodeID(), Departed: d.Bool(), Head: HeadState(d.Uint(uint64(HeadSteady))), Round: d.uint32(), Again: d.Bool(),
		Candidates:   sorted(d, protocol.List(d.Reader, d.candidate), func(c Candidate) protocol.NodeID { return c.ID }),
		Survey:       d.readings(),
		ClusterRound: d.uint32(),
		Slots:        sorted(d, protocol.List(d.Reader, d.slot), func(t Slot) protocol.NodeID { return t.Head }),
	}
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(src []byte) (Message, error) {
	d := newDecoder(src)
	var m Message
	switch d.Uint(tagAlive) {
	case tagSolicitation:
		m = Solicitation{Round: d.uint32(), Ceiling: d.uint32(), Sure: d.uint32()}
	case tagUpdate:
		m = Update{Round: d.uint32(), Ceiling: d.uint32(), Sure: d.uint32()}
	case tagList:
		m = List{Round: d.uint32(), Members: d.ids()}
	case tagConfirm:
		m = Confirm{Round: d.uint32(), Members: d.ids()}
	case tagDismiss:
		m = Dismiss{Round: d.uint32()}
	case tagAccept:
		m = Accept{Round: d.uint32()}
	case tagDeny:
		m = Deny{Round: d.uint32()}
	case tagDefer:
		m = Defer{Round: d.uint32()}
	case tagReport:
		m = Report{Round: d.uint32(), Readings: d.readings()}
	case tagLeave:
		m = Leave{Round: d.uint32()}
	case tagAlive:
		m = Alive{}
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
	return c, d.Close()
}
