package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"runtime"
	"time"

	"github.com/canvass-grid/canvass/daemon/door"
	"github.com/canvass-grid/canvass/daemon/identity"
)

const (
	unauthenticated      = 512      // connections at once
	unauthenticatedBytes = 4 << 10  // read from each
	drainBytes           = 64 << 10 // read from a peer that was refused
	acceptPause          = 50 * time.Millisecond
	silenceLimit         = 2 * time.Second // until the first message of TLS has arrived
)

// errGuard says that a connection sent too much before it was authenticated.
var errGuard = errors.New("too many bytes before authentication")

// slots are turns to compute for connections whose peers are not known. Strangers that begin
// handshakes without end leave the other processors to the rest of the daemon so, above all to its
// lease.
type slots chan struct{}

// newSlots are half as many as there are processors for the program.
func newSlots() slots { return make(slots, max(1, runtime.GOMAXPROCS(0)/2)) }

// guarded limits the bytes read from a connection before its peer is authenticated, and the number
// of such connections that compute at once: a connection that waits for input has no slot.
type guarded struct {
	net.Conn
	left   int
	lifted bool
	slots  slots // nil: it may compute
	has    bool  // a slot
}

// Read is called by one goroutine, which also calls lift.
func (g *guarded) Read(b []byte) (int, error) {
	if g.lifted {
		return g.Conn.Read(b)
	}
	if g.left == 0 {
		return 0, errGuard
	}
	g.rest()
	defer g.compute()
	n, err := g.Conn.Read(b[:min(len(b), g.left)])
	g.left -= n
	return n, err
}

// compute waits for a slot.
func (g *guarded) compute() {
	if g.slots != nil {
		g.slots <- struct{}{}
		g.has = true
	}
}

// rest gives the slot away.
func (g *guarded) rest() {
	if g.has {
		<-g.slots
		g.has = false
	}
}

// Write is not a turn to compute either: the other side may not read.
func (g *guarded) Write(b []byte) (int, error) {
	if g.slots == nil {
		return g.Conn.Write(b)
	}
	g.rest()
	defer g.compute()
	return g.Conn.Write(b)
}

// done ends the turns: the handshake is over.
func (g *guarded) done() {
	g.rest()
	g.slots = nil
}

func (g *guarded) lift() { g.lifted = true }

func drain(r io.Reader) { _, _ = io.CopyN(io.Discard, r, drainBytes) }

// accept takes connections until the listener is closed.
func (t *Transport) accept() {
	for {
		raw, err := t.listener.Accept()
		switch {
		case t.ctx.Err() != nil:
			if err == nil {
				_ = raw.Close()
			}
			return
		case err != nil: // such as too many open files: wait for some to be closed
			t.log.Warn("accept a connection", "error", err)
			select {
			case <-t.ctx.Done():
			case <-time.After(acceptPause):
			}
			continue
		}
		visit := t.door.Enter(raw.RemoteAddr(), time.Now(), func() { _ = raw.Close() })
		if visit == nil {
			t.count(func(c *Counters) { c.Unauthenticated++ })
			_ = raw.Close()
			continue
		}
		started := t.spawn(func() {
			defer visit.Leave()
			t.welcome(raw, visit)
		})
		if !started {
			_ = raw.Close()
			return
		}
	}
}

// welcome makes one accepted connection a part of a link, or ends it.
func (t *Transport) welcome(raw net.Conn, visit *door.Visit) {
	ctx, stopTimer := context.WithTimeout(t.ctx, handshakeLimit)
	defer stopTimer()
	stop := closeAtEnd(ctx, raw)
	defer stop()
	guard := &guarded{Conn: raw, left: unauthenticatedBytes, slots: t.slots}
	_ = raw.SetReadDeadline(time.Now().Add(silenceLimit))
	shown := t.identity.Load()
	secure := tls.Server(guard, hearing(shown.ServerConfig(t.config.Wall, t.config.Desk), func() {
		visit.Reach(door.Spoken)
		_ = raw.SetReadDeadline(time.Now().Add(handshakeLimit))
	}))
	err := secure.HandshakeContext(ctx)
	guard.done()
	if err != nil {
		t.count(func(c *Counters) { c.Unauthenticated++ })
		// A node that looks for the authority turns away from all others: that is no news.
		looks := secure.ConnectionState().NegotiatedProtocol == identity.ProtocolRenew
		if refusal, ok := refusalOf(err); ok && !(looks && refusal.ByPeer) {
			t.refused(nil, refusal)
		}
		_ = raw.Close()
		return
	}
	switch secure.ConnectionState().NegotiatedProtocol {
	case identity.ProtocolJoin:
		t.admit(secure, raw, visit)
		_ = raw.Close()
		return
	case identity.ProtocolRenew:
		visit.Reach(door.Asked)
		t.renew(secure, raw)
		_ = raw.Close()
		return
	}
	guard.lift()
	visit.Reach(door.Asked)
	c, err := t.answer(secure, raw, shown, func() bool { return stop() && visit.Leave() })
	if err != nil {
		if refusal, ok := refusalOf(refuse(secure, err)); ok {
			t.refused(t.link(pair{refusal.Peer, ChannelCore}), refusal)
		}
		_ = raw.Close()
		return
	}
	c.start()
}

// hearing calls a function when the first message of TLS has arrived.
func hearing(config *tls.Config, heard func()) *tls.Config {
	choose := config.GetConfigForClient
	config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		heard()
		return choose(hello)
	}
	return config
}

// answer receives the hello of a peer, decides, and sends the own hello. A refusal is the error and
// is not yet sent. Stop is called when the connection counts, and reports whether it is still open.
func (t *Transport) answer(
	secure *tls.Conn, raw net.Conn, shown *identity.Identity, stop func() bool,
) (*conn, error) {
	certified, err := identity.PeerOf(secure.ConnectionState())
	if err != nil {
		return nil, err
	}
	body, err := readPreface(secure, prefaceHello, maxHello)
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		refusal.Peer = certified.Address
	}
	if err != nil {
		return nil, err
	}
	own := t.greeting(ChannelCore)
	peer, err := t.greeted(body, &own, certified.Address, secure)
	if err != nil {
		return nil, err
	}
	own.Channel = peer.Channel
	l := t.link(pair{peer.Address, peer.Channel})
	if l == nil {
		return nil, &Refusal{Reason: ReasonBusy, Peer: peer.Address, Detail: "too many nodes are known"}
	}
	l.mu.Lock()
	refusal := l.meet(&peer)
	if refusal == nil && l.crosses(&peer) {
		refusal = &Refusal{Reason: ReasonCrossing, Peer: peer.Address, Detail: "dialed from both sides at once"}
	}
	if refusal != nil || !stop() {
		l.mu.Unlock()
		if refusal == nil {
			return nil, context.DeadlineExceeded
		}
		return nil, refusal
	}
	c := newConn(l, raw, secure, 0, shown)
	l.establish(c, &peer)
	own.Seen = l.seen
	l.mu.Unlock()
	t.know(peer.card(c.certificate()))
	t.knowHost(raw.RemoteAddr().String())
	// From here on the connection is the link's, and ends as such.
	if err := writePreface(secure, prefaceHello, own.append(nil)); err != nil {
		c.end(causePeer)
		return nil, err
	}
	_ = raw.SetDeadline(time.Time{})
	return c, nil
}

// refused counts and logs a handshake that failed, for each reason now and then: nodes may try
// several times a second.
func (t *Transport) refused(l *link, r *Refusal) {
	t.count(func(c *Counters) { c.Refused[r.Reason.String()]++ })
	r.Prove(t.identity.Load(), &t.config.Hello)
	of, every := &t.strangers, strangerPause
	if l != nil {
		of, every = &l.logged, memberPause
	}
	logged, skipped := false, 0
	if r.Reason != ReasonCrossing {
		logged, skipped = of.tells(r.Reason.String(), t.config.Clock(), every)
	}
	if logged {
		t.log.Warn("handshake refused", "reason", r.Reason.String(), "by-peer", r.ByPeer,
			"peer", uint32(r.Peer), "detail", r.Detail, "skipped", skipped)
	}
	if t.config.Refused != nil {
		t.config.Refused(*r)
	}
}
