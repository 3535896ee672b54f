package node

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/internal/fileio"
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
		Identity: n.admission.renewal.Identity(), Listen: n.config.Listen, Logger: n.log, Clock: n.clock,
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
	if n.admission.authority != nil {
		a := n.admission
		config.Admit, config.Renew, config.Desk = a.admit, a.renewed, a.authority.Desk()
	}
	links, err := transport.New(config)
	file := filepath.Join(n.options.Folder, configFile)
	if op := (*net.OpError)(nil); errors.As(err, &op) && op.Op == "listen" {
		err = fmt.Errorf("%w: %w; %s: listen and advertise are in %s", ErrConfig, op, fileio.Remedy(err), file)
	}
	if err != nil {
		return nil, err // not a nil of type *transport.Transport
	}
	go func() {
		if err := Resolve(links.Endpoint()); err != nil {
			n.log.Warn("others may not reach this daemon: the name in advertise does not resolve here",
				"advertise", links.Endpoint(), "error", err, "next", fileio.Remedy(err)+", in "+file)
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
