package model

import (
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

// ownOutcomes are those of what a node does of itself. Each is worked out when it is first asked
// for, and known by its id, 0 until then.
type ownOutcomes struct {
	commanded bool // an order is left to be given
	command   atomic.Uint32
	timeouts  []atomic.Uint32 // of each timer
	choices   []atomic.Uint32
	answers   []answer // of each measurement under way, whatever it may turn out to be
}

// answer is one end of a measurement.
type answer struct {
	peer    protocol.NodeID
	latency uint32
	outcome atomic.Uint32
}

// What own outcomes take, and each answer.
const (
	ownBytes    = 80
	answerBytes = 16
)

// bytes is what they take.
func (o *ownOutcomes) bytes() int {
	return ownBytes + 4*(len(o.timeouts)+len(o.choices)) + answerBytes*len(o.answers)
}

func (c *compiled[S, M, C]) ownOf(node int, s *Slot[S]) *ownOutcomes {
	ordered := len(c.script(node, s)) > 0
	if !s.live || !ordered && s.Choose == 0 && len(s.Timers) == 0 && len(s.Measuring) == 0 {
		return nil
	}
	return &ownOutcomes{
		commanded: ordered,
		timeouts:  make([]atomic.Uint32, len(s.Timers)), choices: make([]atomic.Uint32, s.Choose),
		answers: c.answersOf(s),
	}
}

// answersOf lists how the measurements under way at a node may end.
func (c *compiled[S, M, C]) answersOf(s *Slot[S]) []answer {
	var pairs []answer
	for _, peer := range s.Measuring {
		for _, latency := range c.Latency(s.id, peer) {
			pairs = append(pairs, answer{peer: peer, latency: latency})
		}
	}
	return pairs
}

// ownOutcomes returns those of a node of the world, which has some.
func (k *worker[S, M, C]) ownOutcomes(node int) *ownOutcomes {
	return *k.places[node].own.at(k.loaded[node])
}

// once returns an outcome of what a node of the world does of itself, after working it out if need
// be.
func (k *worker[S, M, C]) once(at *atomic.Uint32, node int, in input) *outcome {
	if at.Load() == 0 {
		p := k.state.places[node]
		o := [1]outcome{k.outcomeOf(node, p, p.boxID, k.step(p.slotID, in))}
		at.CompareAndSwap(0, k.made.keep(o[:]))
	}
	return k.outcomes.rows.at(at.Load())
}
