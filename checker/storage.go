package checker

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/checker/internal/statekey"
)

// Storage is how the set of states is stored (the state storage).
type Storage uint8

const (
	// Exact distinguishes all states. Nothing is lost, and every verdict is final.
	Exact Storage = iota
	// Fingerprint64 stores a 64-bit hash value of each state (hash compaction). If two states have
	// the same value, the second one is lost, together with all that only it leads to. Verdicts
	// that depend on all states hold up to [Report.CollisionBound].
	Fingerprint64
	// Fingerprint128 stores 128 bits.
	Fingerprint128
	// Bitstate stores four bits of each state in a set of [Options.BitstateBytes], however many states
	// there are. Its findings are real, but their absence proves nothing: verdicts that depend on all
	// states are Inconclusive. [Report.Coverage] estimates the share of states seen.
	Bitstate
)

var storageNames = [...]string{"exact", "fingerprint64", "fingerprint128", "bitstate"}

// String returns the name of the storage in one lower-case word.
func (s Storage) String() string {
	if int(s) >= len(storageNames) {
		return fmt.Sprintf("storage(%d)", uint8(s))
	}
	return storageNames[s]
}

// ParseStorage returns the storage of a name that [Storage.String] gives.
func ParseStorage(name string) (Storage, error) {
	if i := slices.Index(storageNames[:], name); i >= 0 {
		return Storage(i), nil
	}
	return Exact, fmt.Errorf("there is no storage %q; it is one of %s", name, strings.Join(storageNames[:], ", "))
}

// DefaultBitstateBytes is the size of a bitstate set if neither [Options.BitstateBytes] nor a
// memory limit is set.
const DefaultBitstateBytes = 64 << 20

// bitstate is the size of a bitstate set.
func (o Options) bitstate() uint64 {
	switch {
	case o.BitstateBytes > 0:
		return o.BitstateBytes
	case o.MemoryLimitBytes > 0:
		return o.MemoryLimitBytes / 2
	}
	return DefaultBitstateBytes
}

// validateBitstate refuses a bitstate set that is larger than the free memory of the machine; 0
// means unknown. The system would allocate it and kill the process once it is filled.
func (o Options) validateBitstate(freeBytes uint64) error {
	if o.Storage != Bitstate || freeBytes == 0 || o.bitstate() <= freeBytes {
		return nil
	}
	return fmt.Errorf("checker: a bitstate set of %d MiB is larger than the %d MiB of free memory; "+
		"set a smaller Options.BitstateBytes, or a smaller memory limit, of which it takes half",
		o.bitstate()>>20, freeBytes>>20)
}

// refuses reports why a property cannot be decided with a storage, if that is so.
func (s Storage) refuses(p Property) error {
	if s == Exact || !p.Shape.Live() {
		return nil
	}
	return fmt.Errorf("checker: property %q (%s) needs the graph of all states, which storage %s does not have; "+
		"use storage %s, or check a model without the property", p.Name, p.Shape, s, Exact)
}

// collisionBound bounds the probability that any two of the states have the same fingerprint, if
// the steps of the hash functions behave like random numbers. The first hash function takes two
// words in a step, and two states may collide in any of them. The second one has slightly higher
// odds in each step.
func (s Storage) collisionBound(states uint64, width int) float64 {
	pairs := float64(states) * (float64(states) - 1) / 2
	steps := float64((width + 1) / 2)
	switch s {
	case Fingerprint64:
		return min(math.Ldexp(pairs*steps, -64), 1)
	case Fingerprint128:
		return min(math.Ldexp(pairs*4*steps*steps, -128), 1)
	case Bitstate:
		return 1
	}
	return 0
}

// Assurance says in a few words why no state was missed, apart from an early end, or how many may
// have been.
func (r *Report) Assurance() string {
	switch {
	case r.Searches > 0 && r.Coverage == 0:
		return fmt.Sprintf("swarm of %d searches: undiscovered violations may exist; there is no estimate of the "+
			"coverage", r.Searches)
	case r.Searches > 0:
		return fmt.Sprintf("swarm of %d searches: undiscovered violations may exist; the best covered about %.4g %%, "+
			"all together %.4g %% if their omissions are independent", r.Searches, 100*r.Coverage, 100*r.IndependentCoverage)
	case r.Order.Samples():
		return fmt.Sprintf("random walks (%v): %d of them; undiscovered violations may exist", r.Order, r.Walks)
	case r.Storage == Exact:
		return "exact: no two states are confused"
	case r.Storage == Bitstate:
		return fmt.Sprintf("bitstate: states were omitted, so undiscovered violations may exist; coverage of about "+
			"%.4g %%", 100*r.Coverage)
	}
	return fmt.Sprintf("%s: the odds that a state was missed are at most %.2g", r.Storage, r.CollisionBound)
}

// layout is how keys are made in the beginning.
func (o Options) layout(width int) statekey.Layout {
	switch o.Storage {
	case Fingerprint64, Bitstate:
		return statekey.Layout{Kind: statekey.Fingerprint64, Seed: o.HashSeed}
	case Fingerprint128:
		return statekey.Layout{Kind: statekey.Fingerprint128, Seed: o.HashSeed}
	}
	return statekey.NewLayout(statekey.DemandOf(make([]uint32, width)), 0)
}
