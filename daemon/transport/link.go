package transport

import (
	"context"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/protocol"
)

// The limits of the two queues of a link. A message that does not fit closes the connection. The
// outbox has more room than the inbox, since it also holds what was delivered and is not yet
// acknowledged.
const (
	maxOutbox      = 1024
	maxInbox       = 256
	maxQueuedBytes = 1 << 20 // of each
)

// pair names a link: a peer and a channel.
type pair struct {
	address protocol.Address
	channel Channel
}

// link is the node's state about one peer on one channel. It outlives connections, since it must
// recognise messages that arrive a second time.
type link struct {
	pair
	transport *Transport

	// pumping has an element while a connection delivers messages. A newer one waits for it.
	pumping chan struct{}
	up      protocol.NodeID // reported by Up and not yet by Down; guarded by pumping

	mu     sync.Mutex
	life   *life // the latest incarnation of the peer that has said hello; incarnation 0: none yet
	conn   *conn // open and usable, or nil
	dials  uint64
	seen   uint64             // largest number of a dial of this incarnation of the peer that was accepted
	greets uint64             // the number of the own dial that has sent its hello, or 0
	cancel context.CancelFunc // ends the goroutine that dials; nil if there is none
	logged repeats            // about this peer; it has its own lock

	ahead queue // to incarnations that have not said hello, in the order of Send
}

// life is one incarnation of the peer, and the messages to it and from it.
type life struct {
	incarnation uint16
	nonce       uint64
	card        Card   // of its hello
	sequence    uint64 // of the last message that was given to Send
	sent        uint64 // of the last message that was written
	outbox      queue
	written     int           // how many of the outbox were written on the present connection
	delivered   uint64        // sequence of the last message from it that was delivered
	reading     time.Duration // last reading of its clock
	readAt      time.Duration // own clock when it arrived
	hasReading  bool
}

// message waits until it is acknowledged.
type message struct {
	to       uint16 // of messages ahead: the incarnation; 0: the next one
	kind     uint8
	sequence uint64
	made     time.Duration // own clock at Send
	echo     time.Duration // fixed when it is first written
	stamped  bool
	payload  []byte
}

// stamp returns a reading of the peer's clock that is no later than the making of the message. If
// the known reading arrived after the message was made, the time between is subtracted, and two
// thousandths of it since clocks drift.
func (l *life) stamp(made time.Duration) time.Duration {
	later := max(0, l.readAt-made)
	return l.reading - later - later/500
}

// note keeps a reading of the peer's clock, unless a later one is known.
func (l *life) note(reading, now time.Duration) {
	if !l.hasReading || reading > l.reading {
		l.reading, l.readAt, l.hasReading = reading, now, true
	}
}

// acknowledge forgets the messages up to a sequence. It reports false if that was never written.
func (l *life) acknowledge(sequence uint64) bool {
	if sequence > l.sent {
		return false
	}
	n := l.outbox.forget(func(m *message) bool { return m.sequence <= sequence })
	l.written = max(0, l.written-n) // some may have been delivered over the former connection
	return true
}

// drop empties the outbox and returns how many messages were in it.
func (l *life) drop() int {
	l.written = 0
	return l.outbox.drop()
}

// send queues a message, or refuses it.
func (l *link) send(to uint16, kind uint8, payload []byte) {
	t := l.transport
	now := t.config.Clock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if to == 0 {
		card, _ := t.book.Get(l.address)
		to = max(l.life.incarnation, card.Incarnation)
	}
	if to < l.life.incarnation {
		t.count(func(c *Counters) { c.Misaddressed++ })
		return
	}
	if l.conn == nil {
		l.expire(now)
	}
	if to > l.life.incarnation || to == 0 {
		l.sendAhead(message{to: to, kind: kind, made: now, payload: payload})
		return
	}
	if l.life.outbox.isFull(len(payload)) {
		l.end(l.conn, causeOutbox)
		lost := l.life.drop()
		t.count(func(c *Counters) { c.Overflowed += uint64(lost) })
	}
	l.life.add(message{kind: kind, made: now, payload: payload})
	if l.conn != nil {
		l.conn.wakeUp()
		return
	}
	l.dial()
}

// add queues a message.
func (l *life) add(m message) {
	l.sequence++
	m.sequence = l.sequence
	l.outbox.add(m)
}

// sendAhead queues a message to an incarnation that has not said hello. It may never: that another
// node names an incarnation proves nothing.
func (l *link) sendAhead(m message) {
	if l.ahead.isFull(len(m.payload)) {
		lost := l.ahead.drop()
		l.transport.count(func(c *Counters) { c.Overflowed += uint64(lost) })
	}
	l.ahead.add(m)
	l.dial()
}

// waits reports whether messages wait.
func (l *link) waits() bool { return len(l.life.outbox.messages)+len(l.ahead.messages) > 0 }

// raise begins a later incarnation of the peer, which has said hello. Messages for the former one
// are lost with it. Messages ahead are for this one, unless they name another.
func (l *link) raise(incarnation uint16) {
	if incarnation <= l.life.incarnation {
		return
	}
	if l.conn != nil {
		l.end(l.conn, causeFormerLife)
	}
	lost := l.life.drop()
	l.life, l.seen = &life{incarnation: incarnation}, 0
	ahead := l.ahead.messages
	l.ahead.drop()
	for _, m := range ahead {
		switch {
		case m.to == 0 || m.to == incarnation:
			m.to = 0
			l.life.add(m)
		case m.to < incarnation:
			lost++
		default:
			l.ahead.add(m)
		}
	}
	if lost > 0 {
		l.transport.count(func(c *Counters) { c.Outlived += uint64(lost) })
	}
}

// expire forgets messages that are too old while there is no connection.
func (l *link) expire(now time.Duration) {
	most := l.transport.config.MaxAge
	lost := l.life.outbox.expire(now, most) + l.ahead.expire(now, most)
	if lost > 0 {
		l.transport.count(func(c *Counters) { c.Expired += uint64(lost) })
	}
}

// meet compares the hello of a peer with its known incarnations.
func (l *link) meet(g *greeting) *Refusal {
	known := l.life
	switch {
	case g.Incarnation < known.incarnation:
		return &Refusal{Reason: ReasonFormerLife, Peer: l.address, Other: known.card,
			Detail: "a later life of the node is known; was its data restored from a backup?"}
	case g.Incarnation == known.incarnation && known.nonce != 0 && g.Nonce != known.nonce:
		return &Refusal{Reason: ReasonSecondLife, Peer: l.address, Other: known.card,
			Detail: "another process had this incarnation; was the data directory copied?"}
	}
	return nil
}

// crosses reports whether a connection that the peer dialed gives way to one that this node dialed
// without having seen it. The connection of the smaller address stays. If the peer had accepted
// this node's connection and dials nevertheless, it has lost it.
func (l *link) crosses(g *greeting) bool {
	if l.transport.self.Address > l.address {
		return false
	}
	own := l.greets
	if l.conn != nil && l.life.incarnation == g.Incarnation {
		own = max(own, l.conn.dial)
	}
	return own > g.Seen
}

// establish makes a connection the one of the link and starts it. The lock is held.
func (l *link) establish(c *conn, g *greeting) {
	l.raise(g.Incarnation)
	if l.conn != nil {
		l.end(l.conn, causeReplaced)
	}
	l.life.nonce, l.life.card = g.Nonce, g.card(c.certificate())
	l.life.note(g.Reading, l.transport.config.Clock())
	l.life.written = 0
	l.expire(l.transport.config.Clock())
	if c.dial == 0 {
		l.seen = max(l.seen, g.Dial)
		l.stopDialing()
	}
	l.greets = 0
	c.life, c.peer = l.life, protocol.NodeID{Address: l.address, Incarnation: g.Incarnation}
	l.conn = c
}

// end closes a connection and takes it off the link. Frames that were already read are still
// delivered. If messages wait, the next connection is dialed. The lock is held.
func (l *link) end(c *conn, why cause) {
	if c == nil || c.ended {
		return
	}
	c.ended = true
	close(c.done)
	_ = c.raw.Close()
	c.inbox.end()
	l.transport.count(func(n *Counters) { n.Reset[string(why)]++ })
	if l.conn != c {
		return
	}
	l.conn, l.life.written = nil, 0
	if l.waits() && why != causeReplaced && why != causeFormerLife && why != causeClosed {
		l.dial()
	}
}

// tend is called each beat: it makes connections show that they are open, and ends idle ones and
// those of which a certificate has ended.
func (l *link) tend(now *moment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.conn
	if c == nil {
		l.expire(now.clock)
		if l.waits() {
			l.dial()
		}
		return
	}
	if lost := l.ahead.expire(now.clock, l.transport.config.MaxAge); lost > 0 {
		l.transport.count(func(c *Counters) { c.Expired += uint64(lost) })
	}
	if err := c.valid(now.wall); err != nil {
		c.warn(causeEnded, err)
		l.end(c, causeEnded)
		return
	}
	l.replace(now)
	if len(l.life.outbox.messages) == 0 && c.unacknowledged == 0 && time.Since(c.used) > idleLimit {
		l.end(c, causeIdle)
		return
	}
	if time.Since(c.wrote) >= keepAlive {
		c.due = true
		c.wakeUp()
	}
}
