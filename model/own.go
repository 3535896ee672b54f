package model

import (
	"sync/atomic"

	"github.com/canvass-grid/canvass/protocol"
)

// ownOutcomes holds the ids of the outcomes of a node's own actions. Each is computed on first use,
// and its id is 0 until then.
type ownOutcomes struct {
	commanded bool // a command is left to be given
	command   atomic.Uint32
	timeouts  []atomic.Uint32 // of each timer
	choices   []atomic.Uint32
	answers   []answer // every possible end of each measurement under way
}

// answer is one end of a measurement.
type answer struct {
	peer    protocol.NodeID
	latency uint32
	outcome atomic.Uint32
}

// The memory of own outcomes, and of each answer.
const (
	ownBytes    = 80
	answerBytes = 16
)

// bytes returns their memory.
func (o *ownOutcomes) bytes() int {
	return ownBytes + 4*(len(o.timeouts)+len(o.choices)) + answerBytes*len(o.answers)
}

func (c *compiled[S, M, C]) ownOf(node int, s *Slot[S]) *ownOutcomes {
	commanded := len(c.script(node, s)) > 0
	if !s.live || !commanded && s.Choose == 0 && len(s.Timers) == 0 && len(s.Measuring) == 0 {
		return nil
	}
	return &ownOutcomes{
		commanded: commanded,
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

// ownOutcomes returns those of a node of the present state, which must have some.
func (k *worker[S, M, C]) ownOutcomes(node int) *ownOutcomes {
	return *k.places[node].own.at(k.loaded[node])
}

// once returns an outcome of a node's own action, and computes it on first use.
func (k *worker[S, M, C]) once(at *atomic.Uint32, node int, in input) *outcome {
	if at.Load() == 0 {
		p := k.state.places[node]
		o := [1]outcome{k.outcomeOf(node, p, p.boxID, k.step(p.slotID, in))}
		at.CompareAndSwap(0, k.made.keep(o[:]))
	}
	return k.outcomes.rows.at(at.Load())
}
