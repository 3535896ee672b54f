package model

import "slices"

// verdicts remembers what predicates said of states of all nodes and of the monitor. Most states of
// a system differ from others in messages alone, at which most predicates do not look. Which do is
// not declared but seen (World.looked): what a predicate said without a look holds whatever is in
// flight, since it is a function of what it saw.
type verdicts struct {
	width   int
	keys    []uint32 // by entry: slots, and the state of the monitor
	entries []verdict
	key     []uint32 // of the state at hand
	at      int      // its entry
	stale   bool     // the key has changed since the entry was looked up
	looks   int      // for entries of other states than before
	misses  int      // those that found none
	off     bool     // it is not worth it
}

// verdict says of some questions, a bit each, that the answer is known, and what it is.
type verdict struct{ known, yes uint64 }

const (
	// verdictBits says how many states are remembered.
	verdictBits = 12
	// mostQuestions is how many questions have a bit.
	mostQuestions = 64
	// trial is after how many looks it is judged whether remembering is worth it: not if more than one
	// in mostMisses finds nothing, where predicates are mostly quicker than the look.
	trial, mostMisses = 1 << 16, 8
)

// newVerdicts returns a memory for so many nodes.
func newVerdicts(nodes int) verdicts {
	width := nodes + 1
	return verdicts{width: width, key: make([]uint32, width), stale: true}
}

// see makes a slot of a node, or last the state of the monitor, part of the state at hand.
func (v *verdicts) see(i int, word uint32) {
	v.stale = v.stale || v.key[i] != word
	v.key[i] = word
}

// entry is that of the state at hand. What was there of another state is forgotten.
func (v *verdicts) entry() *verdict {
	if !v.stale {
		return &v.entries[v.at]
	}
	v.stale = false
	if v.entries == nil { // many workers are never asked
		v.keys, v.entries = make([]uint32, v.width<<verdictBits), make([]verdict, 1<<verdictBits)
	}
	hash := uint32(0)
	for _, word := range v.key {
		hash = hashPair(hash, word)
	}
	v.at = int(hash >> (32 - verdictBits))
	v.looks++
	if key := v.keys[v.at*v.width : (v.at+1)*v.width]; !slices.Equal(key, v.key) {
		copy(key, v.key)
		v.entries[v.at] = verdict{}
		v.misses++
	}
	if v.looks == trial {
		v.off = v.misses > trial/mostMisses
	}
	return &v.entries[v.at]
}

// ask returns what a predicate says of the world at hand. The question is its number.
func (k *worker[S, M, C]) ask(question int, predicate func(*GlobalState[S, M]) bool) bool {
	if question >= mostQuestions || k.cache.off {
		return predicate(&k.state)
	}
	entry, bit := k.cache.entry(), uint64(1)<<question
	if entry.known&bit != 0 {
		return entry.yes&bit != 0
	}
	k.state.looked = false
	yes := predicate(&k.state)
	if !k.state.looked {
		entry.known |= bit
		if yes {
			entry.yes |= bit
		}
	}
	return yes
}
