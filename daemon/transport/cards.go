package transport

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/protocol"
)

// MaxCards is how many contact cards a node keeps.
const MaxCards = protocol.MaxItems

// Card says where a node can be reached. Of two cards of an address the one with the larger
// incarnation counts. Incarnation 0 is a hint that any life replaces.
type Card struct {
	Address     protocol.Address
	Incarnation uint16
	Endpoint    string // host:port, at most 255 bytes
}

// cardsPerFrame keeps a frame of cards below the largest payload.
const cardsPerFrame = 512

// book holds the contact cards that a node knows. Each change has a number, so that a connection
// can ask for what it has not sent yet.
type book struct {
	mu      sync.Mutex
	cards   map[protocol.Address]numbered
	changes uint64
}

type numbered struct {
	card   Card
	change uint64
}

// put adds a card if it is newer than the known one. The card of a hello also replaces one of the
// same life.
func (b *book) put(c Card, hello bool) bool {
	if c.Endpoint == "" || len(c.Endpoint) > maxEndpoint {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	known, ok := b.cards[c.Address]
	newer := !ok || c.Incarnation > known.card.Incarnation ||
		hello && c.Incarnation == known.card.Incarnation && c != known.card
	if !newer || !ok && len(b.cards) >= MaxCards {
		return false
	}
	b.changes++
	b.cards[c.Address] = numbered{c, b.changes}
	return true
}

// get returns the card of an address.
func (b *book) get(a protocol.Address) (Card, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.cards[a]
	return n.card, ok
}

// since lists the cards that changed after a change, by address, and the number of the last change.
func (b *book) since(change uint64) ([]Card, uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changes == change {
		return nil, change
	}
	var list []Card
	for _, n := range b.cards {
		if n.change > change {
			list = append(list, n.card)
		}
	}
	slices.SortFunc(list, func(x, y Card) int { return cmp.Compare(x.Address, y.Address) })
	return list, b.changes
}

// appendCards encodes a list of cards.
func appendCards(dst []byte, cards []Card) []byte {
	dst = protocol.AppendUint(dst, uint64(len(cards)))
	for _, c := range cards {
		dst = protocol.AppendNodeID(dst, protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation})
		dst = appendString(dst, c.Endpoint)
	}
	return dst
}

// readCards decodes a list of cards.
func readCards(r *protocol.Reader) []Card {
	return protocol.List(r, func() Card {
		id := r.NodeID()
		return Card{id.Address, id.Incarnation, readString(r, maxEndpoint)}
	})
}

// parseCards decodes the payload of a frame of cards.
func parseCards(src []byte) ([]Card, error) {
	r := protocol.NewReader(src)
	cards := readCards(r)
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("%w: contact cards do not decode", ErrFrame)
	}
	return cards, nil
}
