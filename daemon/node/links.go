package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/internal/remedy"
	"github.com/canvass-grid/canvass/protocol"
)

// connect makes the links to other daemons.
func (n *Node) connect() (err error) {
	if n.links, err = n.machine.Connect(n.self); err != nil {
		return err
	}
	for _, c := range n.contacts() {
		n.links.Learn(c)
	}
	if err := n.loadDeparted(); err != nil {
		return errors.Join(err, n.links.Close())
	}
	return nil
}

// dialLinks makes links over TLS.
func (n *Node) dialLinks(self protocol.NodeID) (Links, error) {
	config := transport.Config{
		Identity: n.renewal.Identity(), Listen: n.config.Listen, Logger: n.log, Clock: n.clock,
		Hello: transport.Hello{
			Wire: Wire, Config: n.config.Grid.Hash(), Incarnation: self.Incarnation, Endpoint: n.config.Advertise,
			Build: n.options.Build, Nonce: chance{}.Uint64(),
		},
		Network: n.network(),
		MaxAge:  maxAge, Refused: func(r transport.Refusal) {
			n.refused(r, func(end func()) { go n.post(end) })
		},
		Deliver: func(from protocol.NodeID, channel transport.Channel, kind uint8, payload []byte) {
			if kind == pieceFrame {
				n.moved(from, payload)
				return
			}
			n.postTo(n.inboxOf(channel), func() { n.deliver(from, kind, payload) })
		},
	}
	if n.authority != nil {
		config.Admit, config.Renew, config.Desk = n.admit, n.renewed, n.authority.Desk()
	}
	links, err := transport.New(config)
	file := filepath.Join(n.options.Folder, configFile)
	if op := (*net.OpError)(nil); errors.As(err, &op) && op.Op == "listen" {
		err = fmt.Errorf("%w: %w; %s: listen and advertise are in %s", ErrConfig, op, remedy.Of(err), file)
	}
	if err != nil {
		return nil, err // not a nil of type *transport.Transport
	}
	go func() {
		if err := Resolve(links.Endpoint()); err != nil {
			n.log.Warn("others may not reach this daemon: the name in advertise does not resolve here",
				"advertise", links.Endpoint(), "error", err, "next", remedy.Of(err)+", in "+file)
		}
	}()
	n.outputs.pieces.Connect(func(to protocol.NodeID, payload []byte) {
		links.Send(to, transport.ChannelBulk, pieceFrame, payload)
	})
	return links, nil
}

// moved takes a message about a piece of a file, beside the node's goroutine.
func (n *Node) moved(from protocol.NodeID, payload []byte) {
	if err := n.outputs.pieces.Receive(from, payload); err != nil {
		n.post(func() { n.unreadable(from, "message about a piece", err) })
	}
}

// inboxOf is where the frames of a channel go.
func (n *Node) inboxOf(c transport.Channel) chan<- func() {
	if c == transport.ChannelLease {
		return n.urgent
	}
	return n.inbox
}

// twoFolders is what to do when two daemons were started with one identity.
const twoFolders = "its folder was copied or set back, and another daemon may run with it: keep one folder, " +
	"remove the other one, and join anew for a second node"

// refused ends this life, on its goroutine, if another one is known at its address: that is a later
// life, or a copy.
func (n *Node) refused(r transport.Refusal, on func(func())) {
	if r.Proven {
		on(func() {
			n.fail(fmt.Errorf("%w: node %v: %s; %s", ErrIdentity, n.self, r.Detail, twoFolders))
		})
	}
}

// cardsKey is where the store has the contact cards that the node knows.
var cardsKey = []byte("cards")

// loadCards reads the contact cards that a former life has kept.
func (n *Node) loadCards() error {
	text, err := n.store.Get(disk.Meta, cardsKey)
	if err != nil {
		return err
	}
	if text != nil {
		if err := json.Unmarshal(text, &n.cards); err != nil {
			return n.damaged(disk.Meta, cardsKey, err)
		}
	}
	return nil
}

// contacts are the cards of former lives, and those of the configuration. Which lives the others
// had then means nothing.
func (n *Node) contacts() (all []transport.Card) {
	for _, c := range n.cards {
		all = append(all, transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	for _, c := range n.config.Contacts {
		all = append(all, transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	return all
}

// saveCards keeps the contact cards if they have changed.
func (n *Node) saveCards() {
	cards := n.links.Cards()
	if slices.Equal(cards, n.cards) {
		return
	}
	text, err := json.Marshal(cards)
	if err != nil {
		panic(err) // strings and numbers
	}
	n.cards = cards
	n.keep(n.write(disk.Put{Bucket: disk.Meta, Key: cardsKey, Value: text}))
}
