package door_test

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/canvass-grid/canvass/daemon/door"
)

func netipPort(host string) netip.AddrPort { return netip.AddrPortFrom(netip.MustParseAddr(host), 1) }

// With one place, the second connection takes it, and the first one is closed.
func Example() {
	d := door.New(1)
	from := net.TCPAddrFromAddrPort(netipPort("10.0.0.1"))
	first := d.Enter(from, time.Now(), func() { fmt.Println("the first one is closed") })
	second := d.Enter(from, time.Now(), func() { fmt.Println("the second one is closed") })
	second.Reach(door.Spoken)
	fmt.Println(first.Leave(), second.Leave())
	// Output:
	// the first one is closed
	// false true
}
