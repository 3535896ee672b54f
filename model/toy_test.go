package model_test

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// A toy protocol. A courier gives a parcel, painted in a colour that it draws, to another courier
// and asks again until it is thanked. It counts what it gets, so a parcel that comes twice shows.
// Now and then couriers tell each other who they are, so that a courier that came back under a new
// identity is found again.

type courier struct {
	Self  protocol.NodeID
	To    protocol.NodeID // receiver of the parcel under way; zero: no parcel
	Paint uint8           // of that parcel, 1 or 2; 0 while it is being drawn
	Got   uint8           // parcels, counted to 2; on disk
	Ended bool
	Heard uint8            // the latest latency that was measured, 1 or 2; 0: none
	Known [toyNodes]uint16 // the incarnations of the others
}

const toyNodes = 3

type noteKind uint8

const (
	noteGive noteKind = iota
	noteThanks
	noteHere
	noteBye
)

type note struct {
	Kind  noteKind
	Paint uint8
}

type orderKind uint8

const (
	orderGive orderKind = iota
	orderEnd
	orderSelf  // send a note to oneself
	orderBeat  // tell all who one is
	orderProbe // measure how far a courier is
)

type order struct {
	Kind orderKind
	To   protocol.Address
}

const (
	timerBeat   protocol.TimerKind = iota + 1 // introduce oneself
	timerResend                               // no thanks came
	timerWatch                                // the receiver is gone
	timerNever                                // fires never
)

type (
	toyInput  = protocol.Input[note, order]
	toyOutput = protocol.Output[note]
)

// toy is the core for the couriers at the first n addresses. Patient couriers never notice that
// their receiver is gone. Chatty ones introduce themselves as soon as they are up, themselves
// included, and say bye to themselves too.
type toy struct {
	n               int
	patient, chatty bool
}

var _ protocol.Core[courier, note, order] = toy{}

func newCourier(i int) courier { return courier{Self: protocol.NodeID{Address: protocol.Address(i)}} }

func (t toy) Step(s courier, in toyInput) (courier, toyOutput) {
	var out toyOutput
	switch in.Kind {
	case protocol.Start:
		t.begin(&s, &out)
	case protocol.Restart:
		r := protocol.NewReader(in.Persisted)
		s = courier{Self: r.NodeID(), Got: uint8(r.Uint(2))}
		if err := r.Close(); err != nil {
			panic(err)
		}
		t.begin(&s, &out)
	case protocol.Command:
		t.command(&s, in.Command, &out)
	case protocol.Chosen:
		s.Paint = uint8(in.Choice) + 1
		s.send(&out, s.To, noteGive)
		if !t.patient {
			out.Set = append(out.Set, protocol.SetTimer{Timer: s.timer(timerWatch)})
		}
		out.Set = append(out.Set, protocol.SetTimer{Timer: s.timer(timerResend)})
	case protocol.Timeout:
		t.timeout(&s, in.Timer, &out)
	case protocol.Measured:
		s.Heard = uint8(in.Measure)
	case protocol.Deliver:
		t.deliver(&s, in.From, in.Message, &out)
	}
	return s, out
}

func (s *courier) timer(kind protocol.TimerKind) protocol.Timer {
	return protocol.Timer{Kind: kind, Peer: s.To}
}

func (s *courier) send(out *toyOutput, to protocol.NodeID, kind noteKind) {
	n := note{Kind: kind}
	if kind == noteGive {
		n.Paint = s.Paint
	}
	out.Send = append(out.Send, protocol.Envelope[note]{From: s.Self, To: to, Message: n})
}

func (t toy) tellAll(s *courier, out *toyOutput, kind noteKind) {
	for i := range t.n {
		if a := protocol.Address(i); a != s.Self.Address {
			s.send(out, protocol.NodeID{Address: a, Incarnation: s.Known[i]}, kind)
		}
	}
}

func (s *courier) persist(out *toyOutput) {
	out.Persist = protocol.AppendUint(protocol.AppendNodeID(nil, s.Self), uint64(s.Got))
}

func (t toy) begin(s *courier, out *toyOutput) {
	s.Self.Incarnation++
	s.persist(out)
	for i := range t.n {
		s.Known[i] = 1
	}
	s.Known[s.Self.Address] = s.Self.Incarnation
	out.Set = []protocol.SetTimer{{Timer: protocol.Timer{Kind: timerBeat}}, {Timer: protocol.Timer{Kind: timerNever}}}
	out.Events = []protocol.Event{{Name: "up", Peer: s.Self}}
	if t.chatty {
		t.tellAll(s, out, noteHere)
		s.send(out, s.Self, noteHere)
	}
}

func (t toy) command(s *courier, o order, out *toyOutput) {
	switch {
	case o.Kind == orderEnd:
		s.Ended = true
		t.tellAll(s, out, noteBye)
		if t.chatty {
			s.send(out, s.Self, noteBye)
		}
		out.Events = []protocol.Event{{Name: "ended"}}
	case o.Kind == orderSelf:
		s.send(out, s.Self, noteHere)
	case o.Kind == orderProbe:
		out.Measure = []protocol.NodeID{{Address: o.To, Incarnation: s.Known[o.To]}}
	case o.Kind == orderBeat:
		t.tellAll(s, out, noteHere)
	case s.To.IsNobody():
		s.To = protocol.NodeID{Address: o.To, Incarnation: s.Known[o.To]}
		out.Choose = 2
	default:
		out.Events = []protocol.Event{{Name: "busy", Peer: s.To}}
	}
}

func (t toy) timeout(s *courier, timer protocol.Timer, out *toyOutput) {
	switch timer.Kind {
	case timerBeat:
		t.tellAll(s, out, noteHere)
		out.Set = []protocol.SetTimer{{Timer: timer}}
	case timerResend:
		s.send(out, s.To, noteGive)
		out.Set = []protocol.SetTimer{{Timer: timer}}
	case timerWatch:
		s.free(out, "gave up")
		out.Cancel = out.Cancel[:1] // the other one fired
	}
}

// free forgets the parcel under way.
func (s *courier) free(out *toyOutput, event string) {
	out.Cancel = []protocol.Timer{s.timer(timerResend), s.timer(timerWatch)}
	out.Events = append(out.Events, protocol.Event{Name: event, Peer: s.To, Number: uint32(s.Paint)})
	s.To, s.Paint = protocol.NodeID{}, 0
}

func (t toy) deliver(s *courier, from protocol.NodeID, n note, out *toyOutput) {
	if s.Ended || from.Incarnation == 0 {
		panic("the driver must not deliver this")
	}
	switch n.Kind {
	case noteGive:
		if s.Got < 2 {
			s.Got++
		}
		s.persist(out)
		s.send(out, from, noteThanks)
		out.Events = []protocol.Event{{Name: "got", Peer: from, Number: uint32(n.Paint)}}
	case noteThanks:
		if s.To == from {
			s.free(out, "thanked")
		}
	case noteHere:
		s.Known[from.Address] = max(s.Known[from.Address], from.Incarnation)
	case noteBye:
		if s.To == from {
			s.free(out, "gave up")
		}
	}
}

func (t toy) AppendState(dst []byte, s courier) []byte {
	dst = protocol.AppendNodeID(protocol.AppendNodeID(dst, s.Self), s.To)
	dst = append(protocol.AppendBool(append(dst, s.Paint, s.Got), s.Ended), s.Heard)
	for _, k := range s.Known {
		dst = protocol.AppendUint(dst, uint64(k))
	}
	return dst
}

func (t toy) DecodeState(src []byte) (courier, error) {
	r := protocol.NewReader(src)
	s := courier{
		Self:  r.NodeID(),
		To:    r.NodeID(),
		Paint: uint8(r.Uint(2)),
		Got:   uint8(r.Uint(2)),
		Ended: r.Bool(),
		Heard: uint8(r.Uint(2)),
	}
	for i := range s.Known {
		s.Known[i] = uint16(r.Uint(1 << 15))
	}
	return s, r.Close()
}

func (t toy) AppendMessage(dst []byte, n note) []byte { return append(dst, byte(n.Kind), n.Paint) }

func (t toy) DecodeMessage(src []byte) (note, error) {
	r := protocol.NewReader(src)
	return note{noteKind(r.Uint(3)), uint8(r.Uint(2))}, r.Close()
}

func (t toy) AppendCommand(dst []byte, o order) []byte { return append(dst, byte(o.Kind), byte(o.To)) }

func (t toy) DecodeCommand(src []byte) (order, error) {
	r := protocol.NewReader(src)
	return order{orderKind(r.Uint(4)), protocol.Address(r.Uint(toyNodes))}, r.Close()
}

func (t toy) StateText(s courier) string {
	text := fmt.Sprintf("%v got %d, knows %v", s.Self, s.Got, s.Known[:t.n])
	if !s.To.IsNobody() {
		text += fmt.Sprintf(", has %d for %v", s.Paint, s.To)
	}
	if s.Ended {
		text += ", ended"
	}
	return text
}

func (t toy) MessageText(n note) string {
	return fmt.Sprint([]string{"give", "thanks", "here", "bye"}[n.Kind], n.Paint)
}

func (t toy) CommandText(o order) string {
	if o.Kind == orderProbe {
		return fmt.Sprintf("probe %d", o.To)
	}
	if o.Kind == orderGive {
		return fmt.Sprintf("give %v", protocol.NodeID{Address: o.To, Incarnation: 1})
	}
	return []string{"", "end", "self", "beat"}[o.Kind]
}

func (t toy) TimerText(timer protocol.Timer) string {
	return fmt.Sprintf("%s %v", []string{"", "beat", "resend", "watch", "never"}[timer.Kind], timer.Peer)
}

// diary is the state of the toy's monitor, counted to 3.
type diary struct{ got, thanked, crashes, back byte }

func (d diary) after(events []protocol.Event) diary {
	for _, e := range events {
		switch e.Name {
		case "got":
			d.got = min(d.got+1, 3)
		case "thanked":
			d.thanked = min(d.thanked+1, 3)
		case "crash":
			d.crashes = min(d.crashes+1, 3)
			d.back |= 1 << e.Peer.Address
		}
	}
	return d
}

type toyMonitor struct{}

func (toyMonitor) Initial() []byte     { return toyMonitor{}.encode(diary{}) }
func (toyMonitor) View(mon []byte) any { return toyMonitor{}.decode(mon) }

func (toyMonitor) Wants(event string) bool {
	return slices.Contains([]string{"got", "thanked", "crash"}, event)
}

func (m toyMonitor) Observe(mon []byte, node int, after courier, events []protocol.Event) []byte {
	return m.encode(m.decode(mon).after(events))
}

func (toyMonitor) encode(d diary) []byte { return []byte{d.got, d.thanked, d.crashes, d.back} }
func (toyMonitor) decode(b []byte) diary { return diary{b[0], b[1], b[2], b[3]} }
