package transport

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"net"
	"time"

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

// Hello is what a node says of itself when a connection begins, beside grid and address, which come
// from its identity.
type Hello struct {
	Wire        uint16            // version of all messages; only equal versions speak
	Config      [sha256.Size]byte // of the configuration that all nodes of the grid share
	Incarnation uint16            // of this life, at least 1
	Nonce       uint64            // random, of this life: tells copies of one life apart
	Build       string            // for people, at most 64 bytes
	Endpoint    string            // host:port where others reach the node; empty: where it listens
}

// Network makes connections. The zero value of [Config] stands for TCP.
type Network interface {
	Listen(endpoint string) (net.Listener, error)
	Dial(ctx context.Context, endpoint string) (net.Conn, error)
}

// Config says who the node is and what happens with what arrives.
type Config struct {
	Identity *identity.Identity
	Listen   string // host:port; port 0 takes a free one
	Hello    Hello

	Clock  func() time.Duration // readings for the age of messages: CLOCK_BOOTTIME
	Wall   func() time.Time     // for certificates; nil means time.Now
	MaxAge time.Duration        // of a message by the clock of its receiver; at least a second

	// Deliver receives the messages of one peer on one channel one at a time and in order. The payload
	// belongs to it. It may block; it must return once the program closes the transport.
	Deliver func(from protocol.NodeID, channel Channel, kind uint8, payload []byte)

	// Up and Down report the core connection of a life of a peer: Up before its first message, Down
	// when it has ended and no other has replaced it. They may be nil.
	Up, Down func(peer protocol.NodeID)

	// Admit decides about a node that wants to join. Nil refuses all.
	Admit func(JoinRequest) (Admission, error)

	Network Network      // nil means TCP
	Logger  *slog.Logger // nil discards
}
