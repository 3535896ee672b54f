package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	beat      = 100 * time.Millisecond // how often links are tended
	keepAlive = 800 * time.Millisecond // with a beat, below the second that is promised
	idleLimit = time.Minute
	// A message is acknowledged with the next frame that goes back, which is there within keepAlive,
	// or after this number of messages.
	acknowledgeAt    = 32
	acknowledgeBytes = maxQueuedBytes / 4
	batchBytes       = 64 << 10 // written at once
	inboxPatience    = 500 * time.Millisecond
)

// cause is why a connection ended, in one word for metrics.
type cause string

const (
	causeOutbox     cause = "outbox"      // the queue to the peer was full
	causeInbox      cause = "inbox"       // the application does not take what the peer sends
	causeFormerLife cause = "former-life" // the peer has a later incarnation
	causeReplaced   cause = "replaced"    // by a newer connection
	causeIdle       cause = "idle"
	causeClosed     cause = "closed"      // the transport was
	causePeer       cause = "peer"        // the peer or the network ended it
	causeSilent     cause = "silent"      // nothing arrived or could be written for MaxAge
	causeFrame      cause = "frame"       // the received bytes are not a valid frame
	causePayload    cause = "payload"     // the application cannot use what arrived
	causeEnded      cause = "certificate" // that of one side has ended
)

// conn is one connection after its handshake. The lock of the link guards what is not marked.
type conn struct {
	link *link
	raw  net.Conn  // immutable, as are the next four
	tls  *tls.Conn // over raw
	life *life
	peer protocol.NodeID
	dial uint64    // its number if this node dialed it, else 0
	own  time.Time // when the certificate that this node has shown expires
	ends time.Time // when the first of the two certificates does

	done  chan struct{} // closed when it has ended
	wake  chan struct{} // there is something to write
	inbox inbox

	ended          bool
	replaceAt      time.Duration // not before then a connection is dialed that takes its place
	due            bool          // write a frame even if there is no message
	unacknowledged int           // messages that were delivered
	unackBytes     int           // of their payloads
	used           time.Time     // a message was last written or read
	wrote          time.Time

	cards uint64 // the last change of the book that was written; the writer's
	last  uint64 // sequence of the last message that was read; the reader's
}

// newConn makes a connection of a handshake in which this node has shown an identity.
func newConn(l *link, raw net.Conn, secure *tls.Conn, dial uint64, shown *identity.Identity) *conn {
	own, peer := shown.Ends(), secure.ConnectionState().PeerCertificates[0].NotAfter
	c := &conn{
		link: l, raw: raw, tls: secure, dial: dial, own: own, ends: own,
		done: make(chan struct{}), wake: make(chan struct{}, 1), due: true,
		used: time.Now(), wrote: time.Now(),
	}
	if peer.Before(own) {
		c.ends = peer
	}
	c.inbox.ready, c.inbox.room = make(chan struct{}, 1), make(chan struct{}, 1)
	c.wakeUp()
	return c
}

// certificate is that of the peer, in DER.
func (c *conn) certificate() []byte { return c.tls.ConnectionState().PeerCertificates[0].Raw }

// start runs the connection. It ends itself if the transport is closed.
func (c *conn) start() {
	t := c.link.transport
	if !t.spawn(c.read) || !t.spawn(c.write) || !t.spawn(c.pump) {
		c.end(causeClosed)
	}
}

func (c *conn) end(why cause) {
	c.link.mu.Lock()
	defer c.link.mu.Unlock()
	c.link.end(c, why)
}

// wakeUp makes the writer look for work.
func (c *conn) wakeUp() { signal(c.wake) }

// read takes frames off the connection until it ends.
func (c *conn) read() {
	t := c.link.transport
	for {
		_ = c.raw.SetReadDeadline(time.Now().Add(t.config.MaxAge))
		f, err := readFrame(c.tls)
		if err == nil {
			t.count(func(n *Counters) { n.FramesReceived++; n.BytesReceived += uint64(headBytes + len(f.Payload)) })
			err = c.take(f)
		}
		if err != nil {
			c.fail(err)
			return
		}
	}
}

// fail ends the connection after an error and logs what was not to be expected.
func (c *conn) fail(err error) {
	why := causePeer
	refusal, refused := errors.AsType[*Refusal](err)
	switch {
	case refused:
		c.link.transport.refused(c.link, refusal)
	case errors.Is(err, ErrFrame):
		why = causeFrame
		c.warn(why, err)
	case errors.Is(err, errEnded):
		why = causeEnded
		c.warn(why, err)
	case errors.Is(err, os.ErrDeadlineExceeded):
		why = causeSilent
	case errors.Is(err, errInbox):
		why = causeInbox
	}
	c.end(why)
}

// warn logs why the connection ends, for each cause now and then: a member may connect again at
// once.
func (c *conn) warn(why cause, err error) {
	t := c.link.transport
	if logged, skipped := c.link.logged.tells("ended: "+string(why), t.config.Clock(), memberPause); logged {
		t.log.Warn("connection ended", "peer", c.peer.String(), "channel", int(c.link.channel), "cause", err,
			"skipped", skipped)
	}
}

// errEnded says that a certificate ended while the connection was open.
var errEnded = errors.New("a certificate has ended")

// valid returns an error once one of the two certificates has ended: a connection ends with it.
func (c *conn) valid(now time.Time) error {
	if !now.After(c.ends) {
		return nil
	}
	whose := "of the other node"
	if now.After(c.own) {
		whose = "of this node"
	}
	return fmt.Errorf("%w: that %s, on %s, and the clock of this node says %s", errEnded, whose,
		c.ends.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
}

// take handles one frame.
func (c *conn) take(f frame) error {
	l, t := c.link, c.link.transport
	if f.To != t.config.Hello.Incarnation {
		t.count(func(n *Counters) { n.Misaddressed++ })
		return fmt.Errorf("%w: it is addressed to incarnation %d", ErrFrame, f.To)
	}
	if err := c.valid(t.config.Wall()); err != nil {
		return err
	}
	now := t.config.Clock()
	l.mu.Lock()
	acknowledged := c.ended || c.life.acknowledge(f.Ack)
	c.life.note(f.Reading, now)
	if f.Type == frameData {
		c.used = time.Now()
	}
	l.mu.Unlock()
	if !acknowledged {
		return fmt.Errorf("%w: message %d is acknowledged, but was not sent", ErrFrame, f.Ack)
	}
	switch f.Type {
	case frameCards:
		cards, err := parseCards(f.Payload)
		if err != nil {
			return err
		}
		return t.learn(cards)
	case frameData:
		if c.last > 0 && f.Sequence != c.last+1 {
			return fmt.Errorf("%w: message %d after %d", ErrFrame, f.Sequence, c.last)
		}
		c.last = f.Sequence
		return c.inbox.push(f)
	}
	return nil
}

// write puts frames on the connection until it ends.
func (c *conn) write() {
	t := c.link.transport
	var buffer []byte
	for {
		select {
		case <-c.done:
			return
		case <-c.wake:
		}
		for {
			frames := c.batch()
			if len(frames) == 0 {
				break
			}
			buffer = buffer[:0]
			for i := range frames {
				buffer = frames[i].append(buffer)
			}
			_ = c.raw.SetWriteDeadline(time.Now().Add(t.config.MaxAge))
			if _, err := c.tls.Write(buffer); err != nil {
				c.fail(err)
				return
			}
			t.count(func(n *Counters) { n.FramesSent += uint64(len(frames)); n.BytesSent += uint64(len(buffer)) })
		}
	}
}

// batch takes the next frames to write: new cards, then messages, or a bare acknowledgement if one
// is due. The cards are read after the messages were taken, so that a card that was known before a
// message goes before it.
func (c *conn) batch() []frame {
	l, t := c.link, c.link.transport
	l.mu.Lock()
	if c.ended {
		l.mu.Unlock()
		return nil
	}
	messages := c.messages()
	bare := frame{To: c.peer.Incarnation, Ack: c.life.delivered, Reading: t.config.Clock()}
	cards, change := t.book.Since(c.cards)
	c.cards = change
	due := c.due
	if due || len(messages)+len(cards) > 0 {
		c.due, c.unacknowledged, c.unackBytes, c.wrote = false, 0, 0, time.Now()
	}
	l.mu.Unlock()

	var frames []frame
	for len(cards) > 0 {
		n := min(len(cards), cardsPerFrame)
		f := bare
		f.Type, f.Payload = frameCards, appendCards(nil, cards[:n])
		frames, cards = append(frames, f), cards[n:]
	}
	for _, m := range messages {
		f := bare
		f.Type, f.Kind, f.Sequence, f.Echo, f.Payload = frameData, m.kind, m.sequence, m.echo, m.payload
		frames = append(frames, f)
	}
	if len(frames) == 0 && due {
		bare.Type = frameAck
		frames = append(frames, bare)
	}
	return frames
}

// messages takes messages up to the size of a batch from the outbox, in which they stay until they
// are acknowledged.
func (c *conn) messages() []message {
	out, size, resent := c.life.outbox.messages, 0, 0
	first := c.life.written
	for c.life.written < len(out) && size < batchBytes {
		m := &out[c.life.written]
		if m.stamped {
			resent++
		} else {
			m.echo, m.stamped = c.life.stamp(m.made), true
		}
		size += headBytes + len(m.payload)
		c.life.written++
		c.life.sent = max(c.life.sent, m.sequence)
	}
	if c.life.written == first {
		return nil
	}
	c.used = time.Now()
	if resent > 0 {
		c.link.transport.count(func(n *Counters) { n.Resent += uint64(resent) })
	}
	return append([]message(nil), out[first:c.life.written]...)
}

// pump delivers what was read, one message after the other. It goes on after the connection has
// ended, until nothing is left, and only then a newer connection's pump begins.
func (c *conn) pump() {
	l, t := c.link, c.link.transport
	l.pumping <- struct{}{}
	defer func() { <-l.pumping }()
	core := l.channel == ChannelCore
	if core && l.up != c.peer && !c.over() {
		l.down()
		l.up = c.peer
		t.count(func(n *Counters) { n.Connected++ })
		if t.config.Up != nil {
			t.config.Up(c.peer)
		}
	}
	for {
		f, ok := c.inbox.pop(t.ctx.Done())
		if !ok {
			break
		}
		c.deliver(f)
	}
	l.mu.Lock()
	replaced := l.conn != nil && l.conn.peer == c.peer
	l.mu.Unlock()
	if core && !replaced {
		l.down()
	}
}

// over reports whether the connection has ended and left nothing to deliver.
func (c *conn) over() bool {
	c.inbox.mu.Lock()
	defer c.inbox.mu.Unlock()
	return c.inbox.ended && len(c.inbox.frames) == 0
}

// down reports the end of the connection that was reported by Up. Pumping is held.
func (l *link) down() {
	t := l.transport
	if l.up.IsNobody() {
		return
	}
	t.count(func(n *Counters) { n.Connected-- })
	if t.config.Down != nil {
		t.config.Down(l.up)
	}
	l.up = protocol.NodeID{}
}

// deliver passes one message on unless it was delivered before, is too old or of an earlier
// incarnation.
func (c *conn) deliver(f frame) {
	l, t := c.link, c.link.transport
	l.mu.Lock()
	former, again := l.life != c.life, f.Sequence <= c.life.delivered
	l.mu.Unlock()
	switch {
	case former:
		t.count(func(n *Counters) { n.Misaddressed++ })
		return
	case again:
		t.count(func(n *Counters) { n.Duplicates++ })
	case t.config.Clock()-f.Echo > t.config.MaxAge:
		t.count(func(n *Counters) { n.TooOld++ })
	default:
		t.config.Deliver(c.peer, l.channel, f.Kind, f.Payload)
		t.count(func(n *Counters) { n.Delivered++ })
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c.life.delivered = max(c.life.delivered, f.Sequence)
	if next := l.conn; next != nil && next.life == c.life { // a newer connection acknowledges, too
		next.unacknowledged++
		next.unackBytes += len(f.Payload)
		if next.unacknowledged >= acknowledgeAt || next.unackBytes >= acknowledgeBytes {
			next.due = true
			next.wakeUp()
		}
	}
}

// errInbox says that the inbox is full.
var errInbox = errors.New("the inbox is full")

// inbox holds what was read and not yet delivered. One goroutine pushes, one pops.
type inbox struct {
	mu     sync.Mutex
	frames []frame
	bytes  int
	ended  bool
	ready  chan struct{} // there is something to pop, or the end
	room   chan struct{} // something was popped, or the end
}

// push adds a frame. It waits a moment for room: a burst may come faster than it is taken.
func (b *inbox) push(f frame) error {
	var patience <-chan time.Time
	for {
		fits, ended := b.add(f)
		switch {
		case ended:
			return io.EOF
		case fits:
			return nil
		case patience == nil:
			patience = time.After(inboxPatience)
		}
		select {
		case <-b.room:
		case <-patience:
			return errInbox
		}
	}
}

// add adds a frame if there is room.
func (b *inbox) add(f frame) (fits, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended || len(b.frames) >= maxInbox || b.bytes+len(f.Payload) > maxQueuedBytes {
		return false, b.ended
	}
	b.frames, b.bytes = append(b.frames, f), b.bytes+len(f.Payload)
	signal(b.ready)
	return true, false
}

// end says that nothing more comes.
func (b *inbox) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	signal(b.ready)
	signal(b.room)
}

// signal makes the goroutine that waits on the channel look again.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// pop waits for a frame. It returns false at the end, or once stop is closed.
func (b *inbox) pop(stop <-chan struct{}) (frame, bool) {
	for {
		select {
		case <-stop:
			return frame{}, false
		default:
		}
		b.mu.Lock()
		if len(b.frames) > 0 {
			f := b.frames[0]
			b.frames, b.bytes = b.frames[1:], b.bytes-len(f.Payload)
			b.mu.Unlock()
			signal(b.room)
			return f, true
		}
		ended := b.ended
		b.mu.Unlock()
		if ended {
			return frame{}, false
		}
		select {
		case <-stop:
		case <-b.ready:
		}
	}
}
