package rpc_test

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// daemon is the surroundings of an exchange whose frames arrive at once. Its time stands still.
type daemon struct {
	self protocol.NodeID
	peer *rpc.Exchange
}

func (daemon) Clock() time.Duration                              { return 0 }
func (daemon) After(time.Duration, func())                       {}
func (daemon) Later(f func())                                    { f() }
func (daemon) WhenDurable(f func())                              { f() }
func (daemon) Beside(f func(), then func())                      { f(); then() }
func (daemon) Latest(id protocol.NodeID) protocol.NodeID         { return id }
func (daemon) IsDead(protocol.NodeID) bool                       { return false }
func (daemon) Suspect(protocol.NodeID)                           {}
func (daemon) Unreadable(_ protocol.NodeID, _ string, err error) { fmt.Println(err) }
func (d *daemon) Send(_ protocol.NodeID, _ transport.Channel, frame []byte) {
	d.peer.Receive(d.self, frame)
}

func Example() {
	a := &daemon{self: protocol.NodeID{Address: 0, Incarnation: 1}}
	b := &daemon{self: protocol.NodeID{Address: 1, Incarnation: 1}}
	b.peer, a.peer = rpc.New(a, slog.Default()), rpc.New(b, slog.Default())

	rpc.Life.Answer(a.peer, func(_ protocol.NodeID, _ protocol.Address) (uint16, error) { return 4, nil })
	rpc.Life.Ask(b.peer, rpc.Daemon(b.self), 9, func(life uint16, err error) { fmt.Println(life, err) })
	// Output: 4 <nil>
}
