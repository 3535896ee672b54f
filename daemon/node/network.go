package node

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/transport"
)

// network is TCP from an address of this machine, or from any.
type network struct {
	transport.TCP
	from net.IP
}

// network makes the connections of this node.
func (n *Node) network() network { return network{from: net.ParseIP(n.Config.DialFrom)} }

// Dial connects to an endpoint.
func (n network) Dial(ctx context.Context, endpoint string) (net.Conn, error) {
	if n.from == nil {
		return n.TCP.Dial(ctx, endpoint)
	}
	dialer := net.Dialer{KeepAlive: -1, LocalAddr: &net.TCPAddr{IP: n.from}}
	return dialer.DialContext(ctx, "tcp", endpoint)
}

// serve begins to serve users.
func (n *Node) serve() (*http.Server, error) {
	socket := config.Socket(n.Options.Folder)
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, disk.Failed("removing the socket of a former life,", socket, err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, disk.Failed("serving users at", socket, err)
	}
	if err := os.Chmod(socket, 0o600); err != nil { // whatever the umask is
		_ = l.Close()
		return nil, disk.Failed("serving users at", socket, err)
	}
	server := &http.Server{
		Handler: api.Handler(users{&n.parts}), ReadHeaderTimeout: 5 * time.Second, ConnContext: api.Guard(n.isTask),
	}
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.Log.Error("users are no longer served", "error", err)
		}
	}()
	return server, nil
}

// answerPatience is how long users have to receive why they get no answer.
const answerPatience = 100 * time.Millisecond

// endServing ends the service when the node has stopped.
func endServing(users *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), answerPatience)
	defer cancel()
	if users.Shutdown(ctx) != nil {
		_ = users.Close() // a content that is on its way
	}
}
