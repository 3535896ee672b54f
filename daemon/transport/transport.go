package transport

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/canvass-grid/canvass/daemon/door"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// MaxPayload is the largest payload of a message, in bytes.
const MaxPayload = 256 << 10

// Channel separates connections of one pair of nodes, so that bulk does not delay leases.
type Channel uint8

// The channels. FIFO holds on each of them, not among them.
const (
	ChannelCore Channel = iota
	ChannelLease
	ChannelBulk
	channels
)

// Hello is the first message of a node on a connection. Grid and address are not in it: they come
// from the identity.
type Hello struct {
	Wire        uint16            // version of all messages; only equal versions speak
	Config      [sha256.Size]byte // of the configuration that all nodes of the grid share
	Incarnation uint16            // of this incarnation, at least 1
	Nonce       uint64            // random, of this incarnation, not 0: tells copies of one incarnation apart
	Build       string            // for people, at most 64 bytes
	Endpoint    string            // host:port where others reach the node; empty: where it listens
}

// Network makes connections.
type Network interface {
	Listen(endpoint string) (net.Listener, error)
	Dial(ctx context.Context, endpoint string) (net.Conn, error)
}

// Config has the identity of the node and the handlers of received messages.
type Config struct {
	Identity *identity.Identity
	Listen   string // host:port; port 0 takes a free one
	Hello    Hello

	Clock  func() time.Duration // readings for the age of messages: CLOCK_BOOTTIME
	Wall   func() time.Time     // for certificates; nil means time.Now
	MaxAge time.Duration        // of a message by the clock of its receiver; at least a second

	// Deliver receives the messages of one peer on one channel one at a time and in order. The
	// payload belongs to it. It may block; it must return once the program closes the transport.
	Deliver func(from protocol.NodeID, channel Channel, kind uint8, payload []byte)

	// Up and Down report the core connection of an incarnation of a peer: Up before its first
	// message, Down when it has ended and no other has replaced it. An idle connection ends, too.
	// They may be nil.
	Up, Down func(peer protocol.NodeID)

	// Refused reports each handshake that failed for a reason. It may be nil, and must not block.
	Refused func(Refusal)

	// Admit decides about a node that wants to join. Renew returns the certificate that follows one
	// of a node, which was valid once and whose key the node has. Desk is the certificate that the
	// authority shows to such nodes: [identity.Authority.Desk]. A node that has no authority lacks
	// all three, and does not admit or renew nodes.
	Admit func(JoinRequest) (Admission, error)
	Renew func(former *x509.Certificate) ([]byte, error)
	Desk  *tls.Certificate

	Network Network      // nil means TCP
	Logger  *slog.Logger // nil discards
}

// Transport holds the connections of one node.
type Transport struct {
	config   Config
	self     protocol.NodeID
	card     Card // of this incarnation
	log      *slog.Logger
	listener net.Listener
	book     *Book
	identity atomic.Pointer[identity.Identity] // with the latest certificate

	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex
	closed bool
	links  map[pair]*link

	counting sync.Mutex
	counters Counters

	door      *door.Door
	slots     slots
	strangers repeats
}

// New listens and returns the running transport.
func New(c Config) (*Transport, error) {
	if err := c.complete(); err != nil {
		return nil, fmt.Errorf("start the transport: %w", err)
	}
	listener, err := c.Network.Listen(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("start the transport: listen at %s: %w", c.Listen, err)
	}
	if c.Hello.Endpoint == "" {
		c.Hello.Endpoint = listener.Addr().String()
	}
	own, err := SignCard(c.Identity, &c.Hello)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the transport: %w", err), listener.Close())
	}
	t := &Transport{
		card: own, config: c, self: protocol.NodeID{Address: c.Identity.Address, Incarnation: c.Hello.Incarnation},
		log: c.Logger, listener: listener, book: NewBook(own), links: map[pair]*link{},
		door:     door.New(unauthenticated),
		slots:    newSlots(),
		counters: Counters{Refused: map[string]uint64{}, Reset: map[string]uint64{}},
	}
	t.identity.Store(c.Identity)
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.spawn(t.accept)
	t.spawn(t.tend)
	return t, nil
}

// complete checks the configuration and fills in defaults.
func (c *Config) complete() error {
	switch {
	case c.Identity == nil || c.Clock == nil || c.Deliver == nil:
		return errors.New("the configuration lacks an identity, a clock or Deliver")
	case (c.Admit == nil) != (c.Desk == nil):
		return errors.New("the configuration has one of Admit and Desk, and not both")
	case c.Hello.Incarnation == 0 || c.Hello.Nonce == 0:
		return errors.New("the hello lacks an incarnation or a nonce")
	case len(c.Hello.Build) > maxBuild || len(c.Hello.Endpoint) > maxEndpoint:
		return fmt.Errorf("the build has at most %d bytes, the endpoint %d", maxBuild, maxEndpoint)
	case c.MaxAge < time.Second:
		return fmt.Errorf("MaxAge is %v and must be at least a second", c.MaxAge)
	}
	c.Wall, c.Network = completed(c.Wall, c.Network)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}

// Reload takes a renewed certificate of the node into use, from the next handshake on. Connections
// that were made with the former one are replaced one after the other, and lose nothing.
func (t *Transport) Reload(id *identity.Identity) { t.identity.Store(id) }

// Endpoint is the host:port of the node's own card.
func (t *Transport) Endpoint() string { return t.config.Hello.Endpoint }

// Send gives a message to the network. It never blocks. The payload must not be changed afterwards.
// Incarnation 0 stands for the latest incarnation that is known when the message is given, and, as
// long as none is, for the first that answers. A message to an earlier incarnation, to the own
// address, or with more than MaxPayload bytes is refused and counted.
func (t *Transport) Send(to protocol.NodeID, channel Channel, kind uint8, payload []byte) {
	switch {
	case len(payload) > MaxPayload:
		t.count(func(c *Counters) { c.Oversize++ })
		return
	case to.Address == t.self.Address || channel >= channels:
		t.count(func(c *Counters) { c.Misaddressed++ })
		return
	}
	l := t.link(pair{to.Address, channel})
	if l == nil {
		t.count(func(c *Counters) { c.Overflowed++ })
		return
	}
	l.send(to.Incarnation, kind, payload)
}

// Learn adds a contact card. Without a proof it is a hint of where to dial, and says nothing of
// incarnations. Cards beyond [MaxCards] are ignored, and so are cards of the node itself, and cards
// with a wrong signature.
func (t *Transport) Learn(card Card) {
	if !card.Proof.isNone() {
		_ = t.learn([]Card{card})
	} else if t.book.Hint(card.Address, card.Endpoint) {
		t.dialAnew([]Card{{Address: card.Address, Endpoint: card.Endpoint}})
	}
}

// knowHost says that members come from the host of an endpoint.
func (t *Transport) knowHost(endpoint string) {
	if host, _, err := net.SplitHostPort(endpoint); err == nil {
		t.door.Know(host)
	}
}

// know takes the card from the hello of a peer.
func (t *Transport) know(card Card) {
	if t.book.Meet(card) {
		t.dialAnew([]Card{card})
	}
}

// learn takes cards that another node passes on.
func (t *Transport) learn(cards []Card) error {
	news, err := t.book.Learn(t.identity.Load(), cards...)
	t.dialAnew(news)
	return err
}

// dialAnew dials with new cards. One of a later incarnation than the one to which there is a
// connection changes where to dial, and nothing else: only its hello proves that incarnation.
func (t *Transport) dialAnew(news []Card) {
	if len(news) == 0 {
		return
	}
	renewed := map[protocol.Address]uint16{}
	for _, c := range news {
		renewed[c.Address] = c.Incarnation
		t.knowHost(c.Endpoint)
	}
	for _, l := range t.all() {
		l.mu.Lock()
		if incarnation, ok := renewed[l.address]; ok {
			if l.conn != nil && l.conn.peer.Incarnation < incarnation {
				l.end(l.conn, causeFormerLife)
			}
			if l.waits() {
				l.dial()
			}
		}
		if l.conn != nil { // it passes the cards on
			l.conn.wakeUp()
		}
		l.mu.Unlock()
	}
}

// Reject ends the connections to an incarnation of a peer that has sent what the application cannot
// use.
func (t *Transport) Reject(peer protocol.NodeID) {
	for _, l := range t.all() {
		l.mu.Lock()
		if l.address == peer.Address && l.conn != nil && l.conn.peer == peer {
			l.end(l.conn, causePayload)
		}
		l.mu.Unlock()
	}
}

// Cards lists the contact cards by address, the own one among them.
func (t *Transport) Cards() []Card { return t.book.Cards() }

// Close ends all connections and waits until nothing of the transport runs any more.
func (t *Transport) Close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.cancel()
	err := t.listener.Close()
	for _, l := range t.all() {
		l.mu.Lock()
		l.stopDialing()
		l.end(l.conn, causeClosed)
		l.mu.Unlock()
	}
	t.running.Wait()
	if errors.Is(err, net.ErrClosed) { // it was closed before
		return nil
	}
	return err
}

// spawn runs a function that Close waits for. It reports false once the transport is closed.
func (t *Transport) spawn(run func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.running.Go(run)
	return true
}

// link finds or makes the link of a pair; nil if there are too many.
func (t *Transport) link(p pair) *link {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.links[p]
	if l == nil && len(t.links) < MaxCards*int(channels) {
		l = &link{pair: p, transport: t, life: &life{}, pumping: make(chan struct{}, 1)}
		t.links[p] = l
	}
	return l
}

// all lists the links.
func (t *Transport) all() []*link {
	t.mu.Lock()
	defer t.mu.Unlock()
	links := make([]*link, 0, len(t.links))
	for _, l := range t.links {
		links = append(links, l)
	}
	return links
}

// moment is when links are tended.
type moment struct {
	clock    time.Duration
	wall     time.Time // for certificates
	replaces int       // how many connections may be dialed again now: never all at once
}

// tend looks after the links until the transport is closed.
func (t *Transport) tend() {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-t.ctx.Done():
			return
		case <-ticker.C:
		}
		now := moment{clock: t.config.Clock(), wall: t.config.Wall(), replaces: 1}
		for _, l := range t.all() {
			l.tend(&now)
		}
	}
}

// greeting is the own hello for a channel.
func (t *Transport) greeting(channel Channel) greeting {
	return greeting{
		Hello: t.config.Hello, Grid: t.config.Identity.Grid, Address: t.self.Address, Channel: channel,
		Reading: t.config.Clock(), Signature: t.card.Proof.signature,
	}
}

// TCP is the network of real nodes. It sends no keep-alives, since frames do.
type TCP struct {
	From net.IP // the local address of connections; nil: any
}

// Listen listens at an endpoint.
func (TCP) Listen(endpoint string) (net.Listener, error) {
	config := net.ListenConfig{KeepAlive: -1}
	return config.Listen(context.Background(), "tcp", endpoint)
}

// Dial connects to an endpoint.
func (t TCP) Dial(ctx context.Context, endpoint string) (net.Conn, error) {
	dialer := net.Dialer{KeepAlive: -1}
	if t.From != nil {
		dialer.LocalAddr = &net.TCPAddr{IP: t.From}
	}
	return dialer.DialContext(ctx, "tcp", endpoint)
}
