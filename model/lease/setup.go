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

// setup is a run without faults before the run of a model, so that the core itself brings the
// initial state about.
type setup struct {
	agent *Agent
	nodes map[int]begun
	wire  []protocol.Envelope[Wire]
	cut   func(e protocol.Envelope[Wire]) bool // drops what it names
}

// established lets the nodes at some places begin, one after the other, until each that takes part
// holds a lease. A node that has failed begins before them: all that run, it and witnesses, have
// promised it a generation, and since then it has reached only its own witness.
func (a *Agent) established(places []int, failed int) (map[int]begun, error) {
	s := &setup{a, map[int]begun{}, nil, func(protocol.Envelope[Wire]) bool { return false }}
	var later []int
	for _, p := range places {
		if failed >= 0 && a.Silent[p] {
			s.start(p)
		} else {
			later = append(later, p)
		}
	}
	if failed >= 0 {
		from := protocol.Address(failed)
		s.cut = func(e protocol.Envelope[Wire]) bool {
			return e.From.Address == from && e.Message.Message.Kind == lease.Renew
		}
		s.start(failed)
		s.cut = func(e protocol.Envelope[Wire]) bool { return e.From.Address == from || e.To.Address == from }
	}
	for _, p := range later {
		s.start(p)
	}
	for _, p := range later {
		if err := s.lease(p); err != nil {
			return nil, err
		}
	}
	return s.nodes, nil
}

func (s *setup) start(place int) {
	s.nodes[place] = begun{site: s.agent.New(place)}
	s.take(place, Input{Kind: protocol.Start})
}

// take takes a step, and delivers what follows from it.
func (s *setup) take(place int, in Input) {
	s.step(place, in)
	for ; len(s.wire) > 0; s.wire = s.wire[1:] {
		e := s.wire[0]
		if _, there := s.nodes[int(e.To.Address)]; there && !s.cut(e) {
			s.step(int(e.To.Address), Input{Kind: protocol.Deliver, From: e.From, Message: e.Message})
		}
	}
}

func (s *setup) step(place int, in Input) {
	n := s.nodes[place]
	site, out := s.agent.Step(n.site, in)
	n.site = site
	if out.Persist != nil {
		n.persisted = out.Persist
	}
	s.nodes[place] = n
	s.wire = append(s.wire, out.Send...)
}

// lease waits until a node holds a lease, if it takes part.
func (s *setup) lease(place int) error {
	for tries := 0; !s.agent.Silent[place] && !holds(s.nodes[place].site); tries++ {
		if tries > 8 {
			return fmt.Errorf("node %d gets no lease: %s", place, lease.StateText(s.nodes[place].site.Core))
		}
		s.take(place, Input{Kind: protocol.Timeout, Timer: lease.Timer(lease.ResendTimer)})
	}
	if n := s.nodes[place]; s.agent.Enters && holds(n.site) {
		n.site.Core.Entered = true
		s.nodes[place] = n
	}
	return nil
}

// holds reports whether a node holds a lease.
func holds(s Site) bool { return s.Core.Phase == lease.Leased }
