package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	handshakeLimit = 5 * time.Second
	backoffFirst   = 50 * time.Millisecond
	backoffLast    = 2 * time.Second
)

// dial starts the goroutine that makes a connection, unless there is one or the address is unknown.
// The lock of the link is held.
func (l *link) dial() {
	if l.conn == nil {
		l.connect()
	}
}

// replaceIn is the time after which a connection is dialed once more.
const replaceIn = time.Minute

// replace dials a connection that takes the place of one which was made with a former certificate
// of this node, long before that ends. The old one serves until the new one does. The lock is held.
func (l *link) replace(now *moment) {
	c := l.conn
	if now.replaces == 0 || now.clock < c.replaceAt || !c.own.Before(l.transport.identity.Load().Ends()) {
		return
	}
	now.replaces--
	c.replaceAt = now.clock + replaceIn
	l.connect()
}

// connect starts the goroutine that makes a connection, unless it runs or the address is unknown.
func (l *link) connect() {
	t := l.transport
	if _, known := t.book.Get(l.address); l.cancel != nil || !known {
		return
	}
	ctx, cancel := context.WithCancel(t.ctx)
	if !t.spawn(func() { l.dialing(ctx) }) {
		cancel()
		return
	}
	l.cancel = cancel
}

// stopDialing ends that goroutine. The lock is held.
func (l *link) stopDialing() {
	if l.cancel != nil {
		l.cancel()
	}
	l.cancel, l.greets = nil, 0
}

// dialing dials until there is a connection or nothing waits for one.
func (l *link) dialing(ctx context.Context) {
	wait := backoffFirst
	for {
		err := l.tryDial(ctx)
		if err == nil || !l.again(ctx, err) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait/2 + rand.N(wait/2)):
		}
		wait = min(2*wait, backoffLast)
	}
}

// again decides after a failure whether to dial once more.
func (l *link) again(ctx context.Context, err error) bool {
	if refusal, ok := refusalOf(err); ok && ctx.Err() == nil {
		refusal.Peer = l.address
		l.transport.refused(l, refusal)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	l.greets = 0
	l.expire(l.transport.config.Clock())
	if !l.waits() || l.conn != nil {
		l.stopDialing()
		return false
	}
	return true
}

// tryDial makes one connection. Once its context has ended it changes nothing.
func (l *link) tryDial(ctx context.Context) error {
	t := l.transport
	card, ok := t.book.Get(l.address)
	if !ok {
		return fmt.Errorf("dial address %d: no contact card", l.address)
	}
	limited, stop := context.WithTimeout(ctx, handshakeLimit)
	defer stop()
	raw, err := t.config.Network.Dial(limited, card.Endpoint)
	if err != nil {
		return fmt.Errorf("dial address %d at %s: %w", l.address, card.Endpoint, err)
	}
	c, err := l.greet(limited, ctx, raw)
	if err != nil {
		_ = raw.Close()
		return fmt.Errorf("handshake with address %d at %s: %w", l.address, card.Endpoint, err)
	}
	if c == nil {
		_ = raw.Close()
		return nil
	}
	c.start()
	return nil
}

// greet authenticates a connection that was dialed, exchanges hellos and establishes it. It returns
// nil if it is not needed any more.
func (l *link) greet(limited, ctx context.Context, raw net.Conn) (*conn, error) {
	t := l.transport
	stop := closeAtEnd(limited, raw)
	defer stop()
	guard := &guarded{Conn: raw, left: unauthenticatedBytes}
	shown := t.identity.Load()
	secure := tls.Client(guard, shown.ClientConfig(t.config.Wall, l.address))
	if err := secure.HandshakeContext(limited); err != nil {
		return nil, err
	}
	guard.lift()
	own := t.greeting(l.channel)
	l.mu.Lock()
	if ctx.Err() != nil {
		l.mu.Unlock()
		return nil, nil
	}
	l.dials++
	l.greets, own.Dial, own.Seen = l.dials, l.dials, l.seen
	l.mu.Unlock()
	if err := writePreface(secure, prefaceHello, own.append(nil)); err != nil {
		return nil, err
	}
	body, err := readPreface(secure, prefaceHello, maxHello)
	if err != nil {
		return nil, err
	}
	peer, err := t.greeted(body, &own, l.address, secure)
	if err == nil && peer.Channel != l.channel {
		err = &Refusal{Reason: ReasonMalformed, Detail: "the answer is for another channel"}
	}
	if err != nil {
		return nil, refuse(secure, err)
	}
	c, err := l.dialed(ctx, stop, newConn(l, raw, secure, own.Dial, shown), &peer)
	if err == nil && c != nil {
		t.know(peer.card(c.certificate()))
	}
	return c, refuse(secure, err)
}

// dialed establishes a connection that this node dialed, after both hellos. It returns nil if it is
// not needed any more.
func (l *link) dialed(ctx context.Context, stop func() bool, c *conn, peer *greeting) (*conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	refusal := l.meet(peer)
	switch {
	case ctx.Err() != nil:
		return nil, nil
	case refusal != nil:
		return nil, refusal
	case !stop():
		return nil, context.DeadlineExceeded
	}
	_ = c.raw.SetDeadline(time.Time{})
	l.cancel = nil // this goroutine's work is done
	l.establish(c, peer)
	return c, nil
}

// closeAtEnd closes a connection when the context ends, and sets its deadline. Stop prevents that
// from then on, and reports whether it was in time.
func closeAtEnd(ctx context.Context, raw net.Conn) (stop func() bool) {
	_ = raw.SetDeadline(time.Now().Add(handshakeLimit))
	stopped := context.AfterFunc(ctx, func() { _ = raw.Close() })
	done := false
	return func() bool {
		done = done || stopped()
		return done
	}
}

// greeted decodes and checks the hello of a peer.
func (t *Transport) greeted(
	body []byte, own *greeting, certified protocol.Address, secure *tls.Conn,
) (greeting, error) {
	peer, err := parseGreeting(body, own.Wire)
	if err != nil {
		if refusal, ok := errors.AsType[*Refusal](err); ok {
			refusal.Peer = certified
		}
		return peer, err
	}
	if refusal := peer.check(own, certified); refusal != nil {
		return peer, refusal
	}
	leaf := secure.ConnectionState().PeerCertificates[0]
	card := peer.card(leaf.Raw)
	if err := identity.CheckSigned(identity.CardPurpose, leaf, card.signed(), []byte(peer.Signature)); err != nil {
		return peer, &Refusal{Reason: ReasonMalformed, Peer: certified, Detail: "the hello is not signed"}
	}
	return peer, nil
}

// refuse sends a refusal and waits a moment for the other side to read it. It returns its error.
func refuse(secure *tls.Conn, err error) error {
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || refusal.ByPeer {
		return err
	}
	if writePreface(secure, prefaceRefusal, refusal.append(nil)) != nil {
		return err
	}
	_ = secure.CloseWrite()
	_ = secure.SetReadDeadline(time.Now().Add(time.Second))
	drain(secure)
	return err
}
