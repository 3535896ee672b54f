package transport_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

const maxAge = 3 * time.Second

// grid makes nodes of one grid on a network in memory.
type grid struct {
	t         *testing.T
	authority *identity.Authority
	network   *memory
	start     time.Time
}

func newGrid(t *testing.T) *grid {
	authority, err := identity.NewGrid(time.Now())
	require.NoError(t, err)
	return &grid{t: t, authority: authority, network: newMemory(), start: time.Now()}
}

func (g *grid) clock() time.Duration { return time.Since(g.start) }

// node is a transport and the messages that it delivered.
type node struct {
	*transport.Transport
	id    protocol.NodeID
	first *identity.Identity // as it was made with

	mu      sync.Mutex
	got     []string // "from kind payload"
	states  []string // "up A", "down A"
	refused []transport.Refusal
	hold    chan struct{} // not nil: Deliver waits until it is closed
}

// config is that of a node which records what happens.
func (g *grid) config(n *node, address protocol.Address, incarnation uint16) transport.Config {
	id, err := g.authority.Enrol(address, time.Now())
	require.NoError(g.t, err)
	n.id = protocol.NodeID{Address: address, Incarnation: incarnation}
	note := func(list *[]string, text string) {
		n.mu.Lock()
		defer n.mu.Unlock()
		*list = append(*list, text)
	}
	return transport.Config{
		Identity: id,
		Listen:   fmt.Sprintf("n%d.%d:1", address, incarnation),
		Hello: transport.Hello{
			Wire: 1, Config: sha256.Sum256([]byte("config")), Incarnation: incarnation, Nonce: 7, Build: "test",
		},
		Clock:  g.clock,
		MaxAge: maxAge,
		Deliver: func(from protocol.NodeID, _ transport.Channel, kind uint8, payload []byte) {
			if n.hold != nil {
				<-n.hold
			}
			note(&n.got, fmt.Sprintf("%v %d %s", from, kind, payload))
		},
		Up:   func(peer protocol.NodeID) { note(&n.states, "up "+peer.String()) },
		Down: func(peer protocol.NodeID) { note(&n.states, "down "+peer.String()) },
		Refused: func(r transport.Refusal) {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.refused = append(n.refused, r)
		},
		Network: g.network,
	}
}

// node starts a node. The changes are made to its configuration first.
func (g *grid) node(address protocol.Address, incarnation uint16, changes ...func(*transport.Config)) *node {
	n := &node{}
	c := g.config(n, address, incarnation)
	for _, change := range changes {
		change(&c)
	}
	t, err := transport.New(c)
	require.NoError(g.t, err)
	n.Transport, n.first = t, c.Identity
	return n
}

func (n *node) send(to *node, text string) { n.Send(to.id, transport.ChannelCore, 1, []byte(text)) }

func (n *node) card() transport.Card {
	for _, card := range n.Cards() {
		if card.Address == n.id.Address {
			return card
		}
	}
	return transport.Card{}
}

// signed is the card of an incarnation of a node that does not run.
func (g *grid) signed(address protocol.Address, incarnation uint16, endpoint string) transport.Card {
	id, err := g.authority.Enrol(address, time.Now())
	require.NoError(g.t, err)
	return transport.Sign(id, transport.Hello{Incarnation: incarnation, Nonce: 7, Endpoint: endpoint})
}

func (n *node) messages() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.got...)
}

func (n *node) changes() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.states...)
}

func (n *node) refusals() []transport.Refusal {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]transport.Refusal(nil), n.refused...)
}

// closeAll ends nodes, the last first.
func closeAll(nodes ...*node) {
	for i := range nodes {
		_ = nodes[len(nodes)-1-i].Close()
	}
}

// memory is a network of pipes with buffers.
type memory struct {
	mu        sync.Mutex
	listeners map[string]*memoryListener
	open      []net.Conn
	cut       map[string]bool // endpoints that cannot be dialed
	dials     int
	latency   time.Duration // of a dial and of each write
}

// newMemory makes a network without listeners.
func newMemory() *memory {
	return &memory{listeners: map[string]*memoryListener{}, cut: map[string]bool{}}
}

var errUnreachable = errors.New("unreachable")

func (m *memory) Listen(endpoint string) (net.Listener, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := &memoryListener{network: m, endpoint: endpoint, backlog: make(chan net.Conn, 128), done: make(chan struct{})}
	m.listeners[endpoint] = l
	return l, nil
}

func (m *memory) Dial(_ context.Context, endpoint string) (net.Conn, error) {
	time.Sleep(m.latency)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dials++
	l := m.listeners[endpoint]
	if l == nil || m.cut[endpoint] {
		return nil, errUnreachable
	}
	near, far := pipe(m.latency)
	m.open = append(m.open, near, far)
	select {
	case l.backlog <- far:
		return near, nil
	default:
		return nil, errUnreachable
	}
}

// dialed returns how often a node tried to connect.
func (m *memory) dialed() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dials
}

// setCut makes an endpoint unreachable, or reachable again.
func (m *memory) setCut(endpoint string, cut bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cut[endpoint] = cut
}

// reset breaks all connections.
func (m *memory) reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.open {
		c.(*end).abort()
	}
	m.open = nil
}

// resetHalf breaks all connections for one of their ends: the dialing one, or the accepting one.
// The other end notices nothing, and its writes are lost.
func (m *memory) resetHalf(dialed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, c := range m.open {
		if c := c.(*end); (i%2 == 0) == dialed {
			c.abortHalf()
		}
	}
	m.open = nil
}

// lose makes all connections lose what is written from now on, as a network does that forgets them.
func (m *memory) lose() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.open {
		c.(*end).out.change(func() { c.(*end).out.lost = true })
	}
}

type memoryListener struct {
	network  *memory
	endpoint string
	backlog  chan net.Conn
	done     chan struct{}
	once     sync.Once
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case <-l.done:
		return nil, net.ErrClosed
	case c := <-l.backlog:
		return c, nil
	}
}

func (l *memoryListener) Close() error {
	l.once.Do(func() {
		l.network.mu.Lock()
		defer l.network.mu.Unlock()
		if l.network.listeners[l.endpoint] == l {
			delete(l.network.listeners, l.endpoint)
		}
		close(l.done)
		for {
			select {
			case c := <-l.backlog:
				_ = c.Close()
			default:
				return
			}
		}
	})
	return nil
}

func (l *memoryListener) Addr() net.Addr { return memoryAddr(l.endpoint) }

type memoryAddr string

func (memoryAddr) Network() string  { return "memory" }
func (a memoryAddr) String() string { return string(a) }

var errReset = errors.New("connection reset")
