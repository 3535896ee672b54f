package transport

import "github.com/canvass-grid/canvass/protocol"

// Transport holds the connections of one node.
type Transport struct{}

// New listens and returns the running transport.
func New(c Config) (*Transport, error) { return nil, nil }

// Endpoint is the host:port of the node's own card.
func (t *Transport) Endpoint() string { return "" }

// Send gives a message to the network. It never blocks. The payload must not be changed afterwards.
// A message to a former life, to the own address or with more than MaxPayload bytes is refused and
// counted.
func (t *Transport) Send(to protocol.NodeID, channel Channel, kind uint8, payload []byte) {}

// Learn adds or renews a contact card.
func (t *Transport) Learn(card Card) {}

// Cards lists the contact cards by address, the own one among them.
func (t *Transport) Cards() []Card { return nil }

// Counters returns what was counted so far.
func (t *Transport) Counters() Counters { return Counters{} }

// Close ends all connections and waits until nothing of the transport runs any more.
func (t *Transport) Close() error { return nil }
