package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(src []byte) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src)}}
}

func (d decoder) ids() []protocol.NodeID { return protocol.List(d.Reader, d.NodeID) }

// members reads custodians, of which there are at most Most.
func (d decoder) members() []protocol.NodeID {
	ids := d.ids()
	if len(ids) > Most {
		d.Fail()
	}
	return ids
}

func (d decoder) view() View { return View{Number: d.Uint32(), Members: d.members()} }

func (d decoder) attempt() Attempt { return Attempt{By: d.NodeID(), Epoch: d.Uint32()} }

func (d decoder) end() End { return End(d.Uint(uint64(Exhausted))) }

func (d decoder) digest() Digest { return Digest(d.Bytes(int(d.Uint(DigestLimit)))) }

func (d decoder) record() Record {
	return Record{
		Try: d.Uint32(), Limit: d.Uint32(), Runs: d.Uint32(), Attempt: d.attempt(), Hosts: d.ids(), Requested: d.end(),
		End: d.end(), Outcome: d.digest(), Settled: d.Bool(),
	}
}

func (d decoder) disk() Disk {
	return Disk{Promised: d.Uint32(), Yielded: d.Bool(), View: d.view(), Seq: d.Uint32(), Record: d.record()}
}

// DecodeDisk decodes the persisted state of a custodian.
func DecodeDisk(src []byte) (Disk, error) {
	d := newDecoder(src)
	disk := d.disk()
	return disk, d.Close()
}

func (d decoder) forming() Forming {
	if !d.Bool() {
		return Forming{}
	}
	return Forming{Active: true, Lives: d.members(), View: d.view(), Seq: d.Uint32(), Record: d.record()}
}

// primary reads the role, whose list has no item or one for each member of the view.
func (d decoder) primary(v View) Primary {
	p := Primary{
		Acked: protocol.List(d.Reader, d.Bool), Leads: d.Bool(), Committed: d.Bool(), Record: d.record(),
		Submitted: d.Uint32(), Accepted: d.Bool(),
	}
	if len(p.Acked) != 0 && len(p.Acked) != len(v.Members) {
		d.Fail()
	}
	return p
}

// DecodeState decodes the output of AppendState. Custodians are from one to Most, each is listed
// once, and the node is one of them.
func DecodeState(src []byte) (State, error) {
	d := newDecoder(src)
	s := State{Self: d.NodeID()}
	for range d.Uint(Most) {
		a := protocol.Address(d.Uint32())
		if slices.Contains(s.Custodians, a) {
			d.Fail()
		}
		s.Custodians = append(s.Custodians, a)
		s.Lives = append(s.Lives, Life{Known: uint16(d.Uint(1<<16 - 1)), Dead: uint16(d.Uint(1<<16 - 1))})
	}
	if s.index(s.Self.Address) < 0 {
		d.Fail()
	}
	s.Over, s.Disk, s.Wanted, s.Loss = d.Bool(), d.disk(), d.Uint32(), d.Bool()
	s.Forming, s.Primary = d.forming(), d.primary(s.Disk.View)
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(src []byte) (Message, error) {
	d := newDecoder(src)
	m := Message{Kind: MessageKind(d.Uint(uint64(Copied)))}
	switch m.Kind {
	case 0:
		d.Fail()
	case Hello, Prepare:
		m.Number = d.Uint32()
	case Promise:
		m.Number, m.View, m.Seq, m.Record = d.Uint32(), d.view(), d.Uint32(), d.record()
	case Copy:
		m.View, m.Seq, m.Record = d.view(), d.Uint32(), d.record()
	case Copied:
		m.Number, m.Seq = d.Uint32(), d.Uint32()
	}
	return m, d.Close()
}

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(src []byte) (Command, error) {
	d := newDecoder(src)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandForgotten)))}
	switch c.Kind {
	case 0:
		d.Fail()
	case CommandAccept:
		c.Limit = d.Uint32()
	case CommandDead:
		c.Life = d.NodeID()
	case CommandCancel:
		c.Requested = d.end()
	case CommandTryOver:
		c.Try = d.Uint32()
	case CommandPermit:
		c.Try, c.Attempt, c.Hosts = d.Uint32(), d.attempt(), d.ids()
	case CommandClosed:
		c.Try, c.Attempt, c.Life = d.Uint32(), d.attempt(), d.NodeID()
	case CommandOutcome:
		c.Try, c.Attempt, c.Outcome = d.Uint32(), d.attempt(), d.digest()
	}
	return c, d.Close()
}
