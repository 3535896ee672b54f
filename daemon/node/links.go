package node

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/protocol"
)

// connect makes the links to other daemons.
func (n *Node) connect() (err error) {
	if n.Links, err = n.Machine.Connect(n.Self); err != nil {
		return err
	}
	for _, c := range n.Contacts() {
		n.Links.Learn(c)
	}
	if err := n.LoadDeparted(); err != nil {
		return errors.Join(err, n.Links.Close())
	}
	return nil
}

// dialLinks makes links over TLS.
func (n *Node) dialLinks(self protocol.NodeID) (life.Links, error) {
	tls := transport.Config{
		Identity: n.admission.Renewal.Identity(), Listen: n.Config.Listen, Logger: n.Log, Clock: n.Clock,
		Hello: transport.Hello{
			Wire: config.Wire, Config: n.Config.Grid.Hash(), Incarnation: self.Incarnation, Endpoint: n.Config.Advertise,
			Build: n.Options.Build, Nonce: life.Chance{}.Uint64(),
		},
		Network: transport.TCP{From: net.ParseIP(n.Config.DialFrom)},
		MaxAge:  life.MaxAge, Refused: func(r transport.Refusal) {
			n.refused(r, func(end func()) { go n.Post(end) })
		},
		Deliver: func(from protocol.NodeID, channel transport.Channel, kind uint8, payload []byte) {
			if kind == life.PieceFrame {
				n.moved(from, payload)
				return
			}
			n.PostTo(n.inboxOf(channel), func() { n.deliver(from, kind, payload) })
		},
	}
	if n.admission.Authority != nil {
		a := n.admission
		tls.Admit, tls.Renew, tls.Desk = a.Admit, a.Renew, a.Authority.Desk()
	}
	links, err := transport.New(tls)
	file := filepath.Join(n.Options.Folder, config.File)
	if op := (*net.OpError)(nil); errors.As(err, &op) && op.Op == "listen" {
		err = fmt.Errorf("%w: %w; %s: listen and advertise are in %s", config.ErrConfig, op, fileio.Remedy(err), file)
	}
	if err != nil {
		return nil, err // not a nil of type *transport.Transport
	}
	go func() {
		if err := config.Resolve(links.Endpoint()); err != nil {
			n.Log.Warn("others may not reach this daemon: the name in advertise does not resolve here",
				"advertise", links.Endpoint(), "error", err, "next", fileio.Remedy(err)+", in "+file)
		}
	}()
	n.outputs.Pieces.Connect(func(to protocol.NodeID, payload []byte) {
		links.Send(to, transport.ChannelBulk, life.PieceFrame, payload)
	})
	return links, nil
}

// moved takes a message about a piece of a file, beside the node's goroutine.
func (n *Node) moved(from protocol.NodeID, payload []byte) {
	if err := n.outputs.Pieces.Receive(from, payload); err != nil {
		n.Post(func() { n.unreadable(from, "message about a piece", err) })
	}
}

// unreadable ends the connections to a node that has sent invalid data: it runs another release, or
// is hostile. Some of these messages are logged, not all.
func (n *Node) unreadable(from protocol.NodeID, what string, err error) {
	if n.breaches.OnUnreadable(from.Address, n.Clock()) {
		n.Log.Warn("closing the connections to a node: it has sent invalid data",
			"from", from.String(), "what", what, "error", err)
	}
	if from != n.Self {
		n.Links.Reject(from)
	}
}

// inboxOf is where the frames of a channel go.
func (n *Node) inboxOf(c transport.Channel) chan<- func() {
	if c == transport.ChannelLease {
		return n.Urgent
	}
	return n.Inbox
}

// refused ends this incarnation, on its goroutine, if another one is known at its address: a later
// incarnation, or a copy.
func (n *Node) refused(r transport.Refusal, on func(func())) {
	if r.Proven {
		on(func() {
			n.Fail(fmt.Errorf("%w: node %v: %s; %s", life.ErrIdentity, n.Self, r.Detail, member.TwoFolders))
		})
	}
}
