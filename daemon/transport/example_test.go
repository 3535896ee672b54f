package transport_test

import (
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// Two nodes of one grid; the first has a contact card of the second.
func Example() {
	authority, err := identity.NewGrid(time.Now())
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Now()
	received := make(chan string)
	node := func(address protocol.Address) *transport.Transport {
		id, err := authority.Enrol(address, time.Now())
		if err != nil {
			fmt.Println(err)
			return nil
		}
		t, err := transport.New(transport.Config{
			Identity: id,
			Listen:   "127.0.0.1:0",
			Hello:    transport.Hello{Wire: 1, Incarnation: 1, Nonce: 1},
			Clock:    func() time.Duration { return time.Since(start) },
			MaxAge:   3 * time.Second,
			Deliver: func(from protocol.NodeID, _ transport.Channel, kind uint8, payload []byte) {
				received <- fmt.Sprintf("%v sends %q of kind %d", from, payload, kind)
			},
		})
		if err != nil {
			fmt.Println(err)
			return nil
		}
		return t
	}
	a, b := node(0), node(1)
	a.Learn(transport.Card{Address: 1, Incarnation: 1, Endpoint: b.Endpoint()})
	a.Send(protocol.NodeID{Address: 1, Incarnation: 1}, transport.ChannelCore, 7, []byte("hello"))
	fmt.Println(<-received)
	_, _ = a.Close(), b.Close()
	// Output: A sends "hello" of kind 7
}
