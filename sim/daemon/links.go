package daemon

import (
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	maxAgeMicros = 3 * second // of a message, as daemons have it
	helloMicros  = second / 5 // between two hellos to a node that has not answered
	outboxLimit  = 1024       // messages that wait for an incarnation to answer, or for a cut to end
)

// links are the connections of an incarnation, with the guarantees of package transport: FIFO to
// each incarnation on each channel, nothing lost while both live and the message is young, and
// messages to exactly the incarnation that they name.
type links struct {
	m     *machine
	self  protocol.NodeID
	book  *transport.Book             // which incarnations others say that there are, and where
	lives map[protocol.Address]uint16 // that have sent something; no entry: no incarnation yet

	passed map[protocol.Address]uint64 // the last change of the book that they were sent

	numbers map[stream]uint32           // last sent
	next    map[stream]uint32           // next to be delivered
	early   map[stream]map[uint32]frame // that overtook others
	waiting map[protocol.Address][]frame
}

// stream is a channel between two incarnations.
type stream struct {
	other   protocol.NodeID
	channel transport.Channel
}

var _ life.Links = &links{}

func newLinks(m *machine, self protocol.NodeID) *links {
	return &links{
		m: m, self: self, book: transport.NewBook(m.world.cardOf(self)),
		lives: map[protocol.Address]uint16{}, passed: map[protocol.Address]uint64{},
		numbers: map[stream]uint32{}, next: map[stream]uint32{}, early: map[stream]map[uint32]frame{},
		waiting: map[protocol.Address][]frame{},
	}
}

func endpoint(a protocol.Address) string { return fmt.Sprintf("n%d:1", a) }

// Endpoint implements [life.Links].
func (l *links) Endpoint() string { return endpoint(l.self.Address) }

// Cards implements [life.Links].
func (l *links) Cards() []transport.Card { return l.book.Cards() }

// Learn implements [life.Links].
func (l *links) Learn(c transport.Card) { l.book.Hint(c.Address, c.Endpoint) }

// Reject implements [life.Links]. Frames in flight still arrive, as from a connection that begins
// again.
func (l *links) Reject(protocol.NodeID) {}

// Close implements [life.Links].
func (l *links) Close() error { return nil }

// meet takes what a frame proves: which incarnation its sender has. No card proves that.
func (l *links) meet(peer protocol.NodeID) {
	if peer.Incarnation <= l.lives[peer.Address] {
		return
	}
	l.lives[peer.Address] = peer.Incarnation
	delete(l.passed, peer.Address)
	l.book.Meet(l.m.world.cardOf(peer))
	l.flush(peer.Address)
}

// Send implements [life.Links].
func (l *links) Send(to protocol.NodeID, channel transport.Channel, kind uint8, payload []byte) {
	if int(to.Address) >= len(l.m.world.machines) || to.Address == l.self.Address {
		return
	}
	known := l.lives[to.Address]
	if to.Incarnation > 0 && to.Incarnation < known {
		return // to an earlier incarnation
	}
	f := frame{
		From: l.self, To: to, Channel: channel, Kind: kind, SentMicros: uint64(l.m.world.now()), Payload: string(payload),
	}
	if to.Incarnation == 0 {
		card, _ := l.book.Get(to.Address)
		f.To.Incarnation = max(known, card.Incarnation)
	}
	if f.To.Incarnation == 0 || f.To.Incarnation > known || len(l.waiting[to.Address]) > 0 ||
		l.m.world.isCut(l.self.Address, to.Address) {
		l.wait(f)
		return
	}
	l.number(f)
}

// wait keeps a message until the incarnation that it is for has answered, and no cut is in the way.
func (l *links) wait(f frame) {
	to := f.To.Address
	if len(l.waiting[to]) >= outboxLimit {
		l.waiting[to] = nil
	}
	first := len(l.waiting[to]) == 0
	l.waiting[to] = append(l.waiting[to], f)
	if first {
		l.greet(to)
	}
}

// greet asks an address which incarnation there is, as long as messages wait for it.
func (l *links) greet(to protocol.Address) {
	young := func(f frame) bool { return l.m.world.now()-int64(f.SentMicros) <= maxAgeMicros }
	l.waiting[to] = slices.DeleteFunc(l.waiting[to], func(f frame) bool { return !young(f) })
	if len(l.waiting[to]) == 0 {
		return
	}
	if card, some := l.book.Get(to); !some || card.Endpoint == endpoint(to) {
		l.hello(to, false)
	}
	l.m.after(helloMicros, func() { l.greet(to) })
}

func (l *links) hello(to protocol.Address, answer bool) {
	if !l.m.world.isCut(l.self.Address, to) {
		l.m.send(frame{From: l.self, To: protocol.NodeID{Address: to}, Kind: helloKind, Answer: answer})
	}
}

// flush sends what has waited, in order, once an incarnation has answered.
func (l *links) flush(to protocol.Address) {
	known := l.lives[to]
	if known == 0 || l.m.world.isCut(l.self.Address, to) {
		return
	}
	waiting := l.waiting[to]
	l.waiting[to] = nil
	for _, f := range waiting {
		switch {
		case f.To.Incarnation == 0:
			f.To.Incarnation = known
			l.number(f)
		case f.To.Incarnation == known:
			l.number(f)
		case f.To.Incarnation > known:
			l.waiting[to] = append(l.waiting[to], f)
		}
	}
}

// number gives a message its place, and sends it.
func (l *links) number(f frame) {
	s := stream{f.To, f.Channel}
	l.numbers[s]++
	if l.m.world.mint != nil {
		l.pass(f.To.Address)
	}
	f.Number = l.numbers[s]
	l.m.send(f)
}

// receive takes a frame from the network, and returns the frames to deliver now.
func (l *links) receive(f frame) (all []frame) {
	if f.From.Incarnation < l.lives[f.From.Address] {
		return nil
	}
	l.meet(f.From)
	switch {
	case f.Kind == cardsKind, f.Kind == refusalKind:
		l.learn(&f)
		return nil
	case f.Kind == helloKind && f.Answer:
		l.flush(f.From.Address)
		return nil
	case f.Kind == helloKind, f.To.Incarnation < l.self.Incarnation:
		l.hello(f.From.Address, true)
		return nil
	case f.To != l.self:
		return nil
	}
	s := stream{f.From, f.Channel}
	if l.early[s] == nil {
		l.early[s] = map[uint32]frame{}
	}
	l.early[s][f.Number] = f
	for {
		f, there := l.early[s][l.next[s]+1]
		if !there {
			return all
		}
		l.next[s]++
		delete(l.early[s], f.Number)
		if l.m.world.now()-int64(f.SentMicros) <= maxAgeMicros {
			all = append(all, f)
		}
	}
}
