package node

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/transport"
)

// cardsKey is where the store has the contact cards that the node knows.
var cardsKey = []byte("cards")

// loadCards passes the contacts of the configuration to the links, and those that a former life has
// kept. Which lives they had then means nothing.
func (n *Node) loadCards() error {
	text, err := n.store.Get(disk.Meta, cardsKey)
	if err != nil {
		return err
	}
	if text != nil {
		if err := json.Unmarshal(text, &n.cards); err != nil {
			return fmt.Errorf("the contacts that the last life has left: %w", err)
		}
	}
	for _, c := range n.cards {
		n.links.Learn(transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	for _, c := range n.config.Contacts {
		n.links.Learn(transport.Card{Address: c.Address, Endpoint: c.Endpoint})
	}
	return nil
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
