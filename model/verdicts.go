package model

import "slices"

// verdicts caches the results of predicates by the slots of all nodes and the state of the monitor.
// Most states of a system differ from others in messages alone, which most predicates do not read.
// GlobalState.looked records whether a predicate did. A result without a look is valid for any
// messages in flight, because a predicate is a function of the data that it reads.
type verdicts struct {
	width   int
	keys    []uint32 // by entry: slots, and the state of the monitor
	entries []verdict
	key     []uint32 // of the present state
	at      int      // its entry
	stale   bool     // the key has changed since the entry was looked up
	looks   int      // for entries of other states than before
	misses  int      // look-ups without a result
	off     bool     // the cache does not pay
}

// verdict holds, a bit for each question, whether its answer is known, and the answer.
type verdict struct{ known, yes uint64 }

const (
	// verdictBits is the binary logarithm of the number of entries.
	verdictBits = 12
	// mostQuestions bounds the questions that have a bit.
	mostQuestions = 64
	// trial is the number of look-ups after which the cache is switched off if more than one in
	// mostMisses was a miss. Most predicates are faster than that.
	trial, mostMisses = 1 << 16, 8
)

// newVerdicts returns a cache for that many nodes.
func newVerdicts(nodes int) verdicts {
	width := nodes + 1
	return verdicts{width: width, key: make([]uint32, width), stale: true}
}

// see sets the slot of a node in the present state, or after those of all nodes the monitor's
// state.
func (v *verdicts) see(i int, word uint32) {
	v.stale = v.stale || v.key[i] != word
	v.key[i] = word
}

// entry returns the entry of the present state. It replaces that of another state.
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

// ask returns the result of a predicate in the present state. The question is its number.
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
