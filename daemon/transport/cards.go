package transport

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// MaxCards is how many contact cards a node keeps.
const MaxCards = protocol.MaxItems

// Card says where a node can be reached. It is the part of a hello that the node has signed, so
// that others can pass it on: of two cards of an address the one with the larger incarnation
// counts. A card without a proof is a hint of this node alone, which any life replaces: its
// incarnation is 0.
type Card struct {
	Address     protocol.Address
	Incarnation uint16
	Endpoint    string // host:port, at most 255 bytes
	Proof       Proof  `json:"-"`
}

// Proof is the certificate of a node, and its signature on a card.
type Proof struct {
	nonce       uint64 // of the life
	certificate string // in DER
	signature   string
}

// isNone reports that there is no proof.
func (p Proof) isNone() bool { return p == Proof{} }

// The largest parts of a proof, in bytes. Those of an ECDSA key on P-256 are half as large.
const (
	maxCardCertificate = 1 << 10
	maxSignature       = 80
	maxCard            = 2 << 10 // encoded
)

// cardsPerFrame keeps a frame of cards below the largest payload.
const cardsPerFrame = MaxPayload / maxCard

// signed is the part of a card that its node signs.
func (c *Card) signed() []byte {
	dst := protocol.AppendNodeID(nil, protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation})
	return appendString(protocol.AppendUint(dst, c.Proof.nonce), c.Endpoint)
}

// sign makes the card of a life.
func sign(id *identity.Identity, address protocol.Address, h *Hello) (Card, error) {
	c := Card{Address: address, Incarnation: h.Incarnation, Endpoint: h.Endpoint, Proof: Proof{nonce: h.Nonce}}
	signature, err := id.Sign(identity.CardPurpose, c.signed())
	if err != nil {
		return c, err
	}
	c.Proof.certificate, c.Proof.signature = string(id.Certificate.Leaf.Raw), string(signature)
	return c, nil
}

// check reports that the node of the card has not signed it.
func (c *Card) check(id *identity.Identity) error {
	signer, err := id.Signer(identity.CardPurpose, []byte(c.Proof.certificate), c.signed(), []byte(c.Proof.signature))
	if err == nil && signer.Address != c.Address {
		err = fmt.Errorf("%w: address %d has signed it", identity.ErrSignature, signer.Address)
	}
	if err != nil {
		return fmt.Errorf("%w: the contact card of address %d: %w", ErrFrame, c.Address, err)
	}
	return nil
}

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

// isNews reports whether a card is newer than the known one. The card of a hello also replaces one
// of the same life. The lock is held.
func (b *book) isNews(c *Card, hello bool) bool {
	known, ok := b.cards[c.Address]
	switch {
	case c.Endpoint == "" || len(c.Endpoint) > maxEndpoint:
		return false
	case !ok:
		return len(b.cards) < MaxCards
	}
	return c.Incarnation > known.card.Incarnation ||
		hello && c.Incarnation == known.card.Incarnation && *c != known.card
}

// wants reports whether put would add a card: others are not worth a look at their signature.
func (b *book) wants(c *Card) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.isNews(c, false)
}

// put adds a card if it is newer than the known one.
func (b *book) put(c Card, hello bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.isNews(&c, hello) {
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

// since lists the cards that changed after a change, by address, and the number of the last change:
// those with a proof, which others can check, or all.
func (b *book) since(change uint64, all bool) ([]Card, uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changes == change {
		return nil, change
	}
	var list []Card
	for _, n := range b.cards {
		if n.change > change && (all || !n.card.Proof.isNone()) {
			list = append(list, n.card)
		}
	}
	slices.SortFunc(list, func(x, y Card) int { return cmp.Compare(x.Address, y.Address) })
	return list, b.changes
}

// appendHints encodes a list of cards without their proofs, for a node that trusts this one.
func appendHints(dst []byte, cards []Card) []byte {
	dst = protocol.AppendUint(dst, uint64(len(cards)))
	for _, c := range cards {
		dst = protocol.AppendNodeID(dst, protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation})
		dst = appendString(dst, c.Endpoint)
	}
	return dst
}

// readHints decodes a list of cards without proofs.
func readHints(r *protocol.Reader) []Card {
	return protocol.List(r, func() Card {
		id := r.NodeID()
		return Card{Address: id.Address, Incarnation: id.Incarnation, Endpoint: readString(r, maxEndpoint)}
	})
}

// append encodes a card with its proof.
func (c *Card) append(dst []byte) []byte {
	dst = protocol.AppendNodeID(dst, protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation})
	dst = appendString(dst, c.Endpoint)
	dst = protocol.AppendUint(dst, c.Proof.nonce)
	return appendString(appendString(dst, c.Proof.certificate), c.Proof.signature)
}

// readCard decodes a card with its proof, which it does not check.
func readCard(r *protocol.Reader) Card {
	id := r.NodeID()
	return Card{
		Address: id.Address, Incarnation: id.Incarnation, Endpoint: readString(r, maxEndpoint),
		Proof: Proof{
			nonce: r.Uint(1<<64 - 1), certificate: readString(r, maxCardCertificate), signature: readString(r, maxSignature),
		},
	}
}

// appendCards encodes a list of cards with their proofs.
func appendCards(dst []byte, cards []Card) []byte {
	dst = protocol.AppendUint(dst, uint64(len(cards)))
	for i := range cards {
		dst = cards[i].append(dst)
	}
	return dst
}

// parseCards decodes the payload of a frame of cards.
func parseCards(src []byte) ([]Card, error) {
	r := protocol.NewReader(src)
	cards := protocol.List(r, func() Card { return readCard(r) })
	if err := r.Close(); err != nil {
		return nil, fmt.Errorf("%w: contact cards do not decode", ErrFrame)
	}
	return cards, nil
}
