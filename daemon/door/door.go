package door

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	// Grace is how long a connection may be silent before it is among the first that must go.
	Grace = 250 * time.Millisecond

	maxKnown     = 4096 // hosts
	networkBits4 = 24
	networkBits6 = 64
)

// Stage is how far a connection has come.
type Stage uint8

// The stages, in order.
const (
	Silent Stage = iota // nothing that makes sense has arrived
	Spoken              // the first message of TLS has
	Asked               // its certificate counts, or its request to join is being decided
)

// Door holds the connections that have not said yet who they are.
type Door struct {
	mu     sync.Mutex
	places int
	inside []*Visit // in the order in which they came
	known  map[netip.Addr]struct{}
}

// Visit is one connection inside.
type Visit struct {
	door    *Door
	end     func()
	network netip.Prefix
	known   bool
	since   time.Time
	stage   Stage
}

// New returns a door with the given number of places, at least one.
func New(places int) *Door {
	return &Door{places: max(places, 1), known: map[netip.Addr]struct{}{}}
}

// Know says that members come from a host. A host that is no IP address is ignored.
func (d *Door) Know(host string) {
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.known) < maxKnown {
		d.known[plain(ip)] = struct{}{}
	}
}

// plain is an address in the one form in which addresses are compared.
func plain(ip netip.Addr) netip.Addr { return ip.Unmap().WithZone("") }

// Enter takes a connection in. If all places are taken another one must go, and Enter calls the
// function that it came with, which closes it. Nil means that the new connection must go itself.
func (d *Door) Enter(from net.Addr, now time.Time, end func()) *Visit {
	v := &Visit{door: d, end: end, since: now}
	d.mu.Lock()
	v.network, v.known = d.origin(from)
	if len(d.inside) < d.places {
		d.inside = append(d.inside, v)
		d.mu.Unlock()
		return v
	}
	out := d.choose(v, now)
	if out != nil {
		d.inside = append(d.remove(out), v)
	}
	d.mu.Unlock()
	if out == nil {
		return nil
	}
	out.end()
	return v
}

// origin is the network of an address, and whether its host is known. All that is no IP address is
// of one network.
func (d *Door) origin(from net.Addr) (netip.Prefix, bool) {
	at, err := netip.ParseAddrPort(from.String())
	if err != nil {
		return netip.Prefix{}, false
	}
	ip := plain(at.Addr())
	bits := networkBits6
	if ip.Is4() {
		bits = networkBits4
	}
	_, known := d.known[ip]
	return netip.PrefixFrom(ip, bits).Masked(), known
}

// choose returns the connection that must go for a new one; nil if the new one must not come in.
func (d *Door) choose(entering *Visit, now time.Time) *Visit {
	crowd, silent := map[netip.Prefix]int{entering.network: 1}, 0
	for _, v := range d.inside {
		crowd[v.network]++
		if v.stage == Silent {
			silent++
		}
	}
	first := Spoken
	if silent >= d.places/2 {
		first = Silent
	}
	out := slices.MinFunc(d.inside, func(a, b *Visit) int { // the first of equal ones, which is the oldest
		return cmp.Or(
			compareBool(!a.dawdles(now), !b.dawdles(now)),
			compareBool(a.stage == Asked, b.stage == Asked),
			compareBool(a.stage != first, b.stage != first),
			compareBool(a.known, b.known),
			cmp.Compare(crowd[b.network], crowd[a.network]),
		)
	})
	if out.known && !out.dawdles(now) && !entering.known {
		return nil
	}
	return out
}

// compareBool puts false first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// dawdles reports whether a connection has been silent for too long.
func (v *Visit) dawdles(now time.Time) bool { return v.stage == Silent && now.Sub(v.since) > Grace }

// remove returns those inside without one.
func (d *Door) remove(v *Visit) []*Visit {
	if i := slices.Index(d.inside, v); i >= 0 {
		return slices.Delete(d.inside, i, i+1)
	}
	return d.inside
}

// Reach says to which stage the connection has come, or gone back.
func (v *Visit) Reach(stage Stage) {
	v.door.mu.Lock()
	defer v.door.mu.Unlock()
	v.stage = stage
}

// Leave ends the visit. It reports false if the connection had to go before, or has left.
func (v *Visit) Leave() bool {
	v.door.mu.Lock()
	defer v.door.mu.Unlock()
	before := len(v.door.inside)
	v.door.inside = v.door.remove(v)
	return len(v.door.inside) < before
}

// Inside is how many connections have not said who they are.
func (d *Door) Inside() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.inside)
}
