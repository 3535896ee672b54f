package lease

import (
	"fmt"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
)

// begun is a node with which a run begins.
type begun struct {
	site      Site
	persisted []byte
}

// established lets the nodes at some places begin, one after the other, without faults, until each
// that takes part holds a lease. So the core itself brings the initial state about.
func (a *Agent) established(places []int) (map[int]begun, error) {
	nodes := map[int]begun{}
	var wire []protocol.Envelope[Wire]
	take := func(place int, in Input) {
		n := nodes[place]
		site, out := a.Step(n.site, in)
		n.site = site
		if out.Persist != nil {
			n.persisted = out.Persist
		}
		nodes[place] = n
		wire = append(wire, out.Send...)
	}
	deliver := func() {
		for ; len(wire) > 0; wire = wire[1:] {
			e := wire[0]
			if _, there := nodes[int(e.To.Address)]; there {
				take(int(e.To.Address), Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
			}
		}
	}
	for _, p := range places {
		nodes[p] = begun{site: a.New(p)}
		take(p, Input{Kind: protocol.Start})
		deliver()
	}
	for _, p := range places {
		for tries := 0; !a.Silent[p] && !holds(nodes[p].site); tries++ {
			if tries > 8 {
				return nil, fmt.Errorf("node %d gets no lease: %s", p, lease.StateText(nodes[p].site.Core))
			}
			take(p, Input{Kind: protocol.Timeout, Timer: lease.Timer(lease.ResendTimer)})
			deliver()
		}
		if n := nodes[p]; a.Enters && holds(n.site) {
			n.site.Core.Entered = true
			nodes[p] = n
		}
	}
	return nodes, nil
}

// holds reports whether a node holds a lease.
func holds(s Site) bool { return s.Core.Phase == lease.Leased }
