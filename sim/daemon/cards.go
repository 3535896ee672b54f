package daemon

import (
	"fmt"
	"sync"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// claim is a contact card in transit: its contents, and how it was made. The bytes of the card
// differ from run to run, since keys do.
type claim struct {
	Address     protocol.Address
	Incarnation uint16
	Endpoint    string
	How         forgery
	By          protocol.Address // the member that has made it
	Of          uint16           // the incarnation whose card was changed
}

// forgery is how a card was made.
type forgery uint8

const (
	honest   forgery = iota // its node has signed it
	unsigned                // nobody has
	stolen                  // another member has, in the name of its node
	moved                   // another member has signed its own card, whose address was changed
	changed                 // its node has signed another incarnation or endpoint
	foreign                 // a node of another grid has, which has the same address there
	forgeries
)

var forgeryTexts = [...]string{"signed by its node", "unsigned", "signed by another node", "of another node",
	"changed after its node has signed it", "signed in another grid"}

func (c *claim) append(dst []byte) []byte {
	dst = protocol.AppendNodeID(dst, protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation})
	for _, number := range []uint64{uint64(c.How), uint64(c.By), uint64(c.Of), uint64(len(c.Endpoint))} {
		dst = protocol.AppendUint(dst, number)
	}
	return append(dst, c.Endpoint...)
}

func readClaim(r *protocol.Reader) claim {
	id := r.NodeID()
	c := claim{Address: id.Address, Incarnation: id.Incarnation, How: forgery(r.Uint(uint64(forgeries) - 1))}
	c.By, c.Of = protocol.Address(r.Uint(1<<32-1)), uint16(r.Uint(1<<16-1))
	c.Endpoint = string(r.Bytes(int(r.Uint(255))))
	return c
}

func appendClaims(all ...claim) string {
	dst := protocol.AppendUint(nil, uint64(len(all)))
	for i := range all {
		dst = all[i].append(dst)
	}
	return string(dst)
}

func readClaims(text string) ([]claim, error) {
	r := protocol.NewReader([]byte(text))
	all := protocol.List(r, func() claim { return readClaim(r) })
	return all, r.Close()
}

func (c *claim) text() string {
	return fmt.Sprintf("%v at %s, %s", protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation}, c.Endpoint,
		forgeryTexts[c.How])
}

// members are the identities of the members of a grid, and those of another grid.
var members = sync.OnceValue(func() (grids [2][]*identity.Identity) {
	began := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range grids {
		authority, err := identity.NewGrid(began)
		for a := protocol.Address(0); a < maxNodes && err == nil; a++ {
			var id *identity.Identity
			id, err = authority.Enrol(a, began)
			grids[i] = append(grids[i], id)
		}
		if err != nil {
			panic(err) // there is no randomness
		}
	}
	return grids
})

// mint makes the cards of a run in which a member forges some.
type mint struct {
	cards  map[claim]transport.Card
	claims map[transport.Card]claim
}

func newMint() *mint {
	return &mint{cards: map[claim]transport.Card{}, claims: map[transport.Card]claim{}}
}

// identity is that of a member.
func (*mint) identity(a protocol.Address) *identity.Identity { return members()[0][a] }

// hello is that of an incarnation.
func hello(life protocol.NodeID) *transport.Hello {
	return &transport.Hello{
		Incarnation: life.Incarnation, Nonce: 1 + uint64(life.Incarnation), Endpoint: endpoint(life.Address),
	}
}

// honestClaim is the card of an incarnation.
func honestClaim(life protocol.NodeID) claim {
	return claim{
		Address: life.Address, Incarnation: life.Incarnation, Endpoint: endpoint(life.Address), By: life.Address,
	}
}

// card makes the card of a claim.
func (m *mint) card(c claim) transport.Card {
	card, made := m.cards[c]
	if made {
		return card
	}
	said := &transport.Hello{Incarnation: c.Incarnation, Nonce: 1, Endpoint: c.Endpoint}
	switch c.How {
	case honest:
		card = signed(*m.identity(c.Address), hello(protocol.NodeID{Address: c.Address, Incarnation: c.Incarnation}))
	case stolen:
		thief := *m.identity(c.By)
		thief.Address = c.Address
		card = signed(thief, said)
	case moved:
		card = signed(*m.identity(c.By), said)
	case changed:
		card = signed(*m.identity(c.Address), hello(protocol.NodeID{Address: c.Address, Incarnation: c.Of}))
	case foreign:
		card = signed(*members()[1][c.Address], said)
	}
	card.Address, card.Incarnation, card.Endpoint = c.Address, c.Incarnation, c.Endpoint
	m.cards[c], m.claims[card] = card, c
	return card
}

func signed(id identity.Identity, h *transport.Hello) transport.Card {
	card, err := transport.SignCard(&id, h)
	if err != nil {
		panic(err) // the key is there
	}
	return card
}

// cardOf is the card of an incarnation. In runs without forgers cards are not signed.
func (w *world) cardOf(life protocol.NodeID) transport.Card {
	if w.mint == nil {
		return transport.Card{Address: life.Address, Incarnation: life.Incarnation, Endpoint: endpoint(life.Address)}
	}
	return w.mint.card(honestClaim(life))
}

// forge lets a member send a card of another member that the latter has not signed, or has
// replaced. It goes to all others, or to that member, as the proof that its incarnation has to end.
// The contents are drawn.
func (m *machine) forge(arg uint64) {
	w := m.world
	draw := sim.NewChance(arg, uint64(m.address))
	victim := w.machines[(int(m.address)+1+int(draw.Below(uint64(len(w.machines)-1))))%len(w.machines)]
	if victim == m || len(victim.lives) == 0 {
		return
	}
	latest := victim.lives[len(victim.lives)-1]
	c := claim{Address: victim.address, By: m.address, How: forgery(draw.Below(uint64(forgeries))), Of: latest}
	c.Incarnation = []uint16{latest, latest + 1, 65_535}[draw.Below(3)]
	c.Endpoint = []string{endpoint(m.address), "nowhere:1"}[draw.Below(2)]
	if c.How == honest || draw.Of(1, 3) {
		former := victim.lives[:max(1, len(victim.lives)-1)]
		c = honestClaim(protocol.NodeID{Address: victim.address, Incarnation: former[draw.Below(uint64(len(former)))]})
	}
	w.oracle.seen["forged"]++
	w.oracle.seen[forgeryTexts[c.How]]++
	if draw.Of(1, 3) {
		reason := []transport.Reason{transport.ReasonFormerLife, transport.ReasonSecondLife}[draw.Below(2)]
		m.send(frame{
			From: m.node.Self(), To: protocol.NodeID{Address: victim.address}, Kind: refusalKind, Number: uint32(reason),
			Payload: appendClaims(c),
		})
		return
	}
	for _, other := range w.machines {
		if other != m {
			m.links.tell(other.address, c)
		}
	}
}

// tell sends cards to an address.
func (l *links) tell(to protocol.Address, all ...claim) {
	if !l.m.world.isCut(l.self.Address, to) {
		l.m.send(frame{From: l.self, To: protocol.NodeID{Address: to}, Kind: cardsKind, Payload: appendClaims(all...)})
	}
}

// pass sends the cards that a node does not have from this one.
func (l *links) pass(to protocol.Address) {
	cards, change := l.book.Since(l.passed[to])
	l.passed[to] = change
	var all []claim
	for _, c := range cards {
		all = append(all, l.m.world.mint.claims[c])
	}
	if len(all) > 0 {
		l.tell(to, all...)
	}
}

// learn takes the cards that another node passes on, by the rules of package transport.
func (l *links) learn(f *frame) {
	w := l.m.world
	all, err := readClaims(f.Payload)
	if err != nil {
		panic(err) // of this package
	}
	var cards []transport.Card
	for _, c := range all {
		cards = append(cards, w.mint.card(c))
	}
	if f.Kind == refusalKind {
		r := transport.Refusal{Reason: transport.Reason(f.Number), ByPeer: true, Peer: f.From.Address, Other: cards[0]}
		r.Prove(w.mint.identity(l.self.Address), hello(l.self))
		l.m.node.Refused(r)
		return
	}
	if _, err := l.book.Learn(w.mint.identity(l.self.Address), cards...); err != nil {
		w.oracle.seen["unmasked"]++
	}
}
