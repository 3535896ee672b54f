package sim

import "github.com/canvass-grid/canvass/protocol"

// Digest is a hash of a run: Actions covers what reached which node when, State covers the states
// and disks of all nodes.
type Digest struct {
	Actions, State uint64
}

// Digest returns the digest so far. Equal runs have equal digests.
func (s *Simulation[S, M, C]) Digest() Digest {
	d := Digest{Actions: s.actions}
	var b []byte
	for i := range s.nodes {
		n := &s.nodes[i]
		b = protocol.AppendBool(b[:0], n.up)
		b = append(b, n.persisted...)
		if n.up {
			b = s.cfg.Core.AppendState(b, s.states[i])
		}
		d.State = mix(d.State ^ protocol.Hash(b))
	}
	return d
}
