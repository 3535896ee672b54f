package node

import (
	"context"
	"net"

	"github.com/canvass-grid/canvass/daemon/transport"
)

// network is TCP from an address of this machine, or from any.
type network struct {
	transport.TCP
	from net.IP
}

// network is what this node dials and listens with.
func (n *Node) network() network { return network{from: net.ParseIP(n.config.DialFrom)} }

// Dial connects to an endpoint.
func (n network) Dial(ctx context.Context, endpoint string) (net.Conn, error) {
	if n.from == nil {
		return n.TCP.Dial(ctx, endpoint)
	}
	dialer := net.Dialer{KeepAlive: -1, LocalAddr: &net.TCPAddr{IP: n.from}}
	return dialer.DialContext(ctx, "tcp", endpoint)
}
