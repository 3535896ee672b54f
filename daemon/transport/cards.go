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

// Card says where a node can be reached. The node has signed this part of its hello, so that others
// can pass it on: the card with the larger incarnation counts if an address has two. A card
// without a proof is a hint of this node alone, which any incarnation replaces: its incarnation is
// 0.
type Card struct {
	Address     protocol.Address
	Incarnation uint16
	Endpoint    string // host:port, at most 255 bytes
	Proof       Proof  `json:"-"`
}

// Proof is the certificate of a node, and its signature on a card.
type Proof struct {
	nonce       uint64 // of the incarnation
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

// SignCard makes the card of an incarnation of a node.
func SignCard(id *identity.Identity, h *Hello) (Card, error) {
	c := Card{Address: id.Address, Incarnation: h.Incarnation, Endpoint: h.Endpoint, Proof: Proof{nonce: h.Nonce}}
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

// Book holds the contact cards that a node knows, and decides which other ones replace them. Each
// change has a number, so that a connection can ask for the cards that it has not sent yet. It may
// be used concurrently.
type Book struct {
	self protocol.Address

	mu      sync.Mutex
	cards   map[protocol.Address]numbered
	changes uint64
}

type numbered struct {
	card   Card
	change uint64
}

// NewBook makes the book of an incarnation, which has its own card alone.
func NewBook(own Card) *Book {
	return &Book{self: own.Address, cards: map[protocol.Address]numbered{own.Address: {own, 1}}, changes: 1}
}

// Learn adds those cards that are news, and returns them. They come from another node. If one of
// them is not signed by its node, Learn returns an error and adds no card. Cards that are no news
// are not verified.
func (b *Book) Learn(id *identity.Identity, cards ...Card) (news []Card, err error) {
	for i := range cards {
		c := &cards[i]
		if !b.wants(c) {
			continue
		}
		if err := c.check(id); err != nil {
			return nil, err
		}
		news = append(news, *c)
	}
	return slices.DeleteFunc(news, func(c Card) bool { return !b.put(c, false) }), nil
}

// Hint adds where to dial an address of which there is no card, by the word of this node alone.
func (b *Book) Hint(a protocol.Address, endpoint string) bool {
	return b.put(Card{Address: a, Endpoint: endpoint}, false)
}

// Meet adds the card of an incarnation that has said hello, unless that of a later one is known.
func (b *Book) Meet(c Card) bool { return b.put(c, true) }

// isNews reports whether a card is newer than the known one. The card of a hello also replaces one
// of the same incarnation. The lock is held.
func (b *Book) isNews(c *Card, hello bool) bool {
	known, ok := b.cards[c.Address]
	switch {
	case c.Address == b.self || c.Endpoint == "" || len(c.Endpoint) > maxEndpoint:
		return false
	case !ok:
		return len(b.cards) < MaxCards
	}
	return c.Incarnation > known.card.Incarnation ||
		hello && c.Incarnation == known.card.Incarnation && *c != known.card
}

// wants reports whether a card that another node passes on is news.
func (b *Book) wants(c *Card) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.isNews(c, false)
}

// put adds a card if it is news.
func (b *Book) put(c Card, hello bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.isNews(&c, hello) {
		return false
	}
	b.changes++
	b.cards[c.Address] = numbered{c, b.changes}
	return true
}

// Get returns the card of an address.
func (b *Book) Get(a protocol.Address) (Card, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.cards[a]
	return n.card, ok
}

// Cards lists all cards by address, the own one among them.
func (b *Book) Cards() []Card {
	cards, _ := b.since(0, true)
	return cards
}

// Since lists the cards with a proof, which others can check, that changed after a change, and the
// number of the last change.
func (b *Book) Since(change uint64) ([]Card, uint64) { return b.since(change, false) }

// since lists the cards that changed after a change: those with a proof, or all.
func (b *Book) since(change uint64, all bool) ([]Card, uint64) {
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
