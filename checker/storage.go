package checker

import "fmt"

// Storage is a way to remember which states were found.
type Storage uint8

const (
	// Exact tells any two states apart. Nothing is lost, and every verdict is final.
	Exact Storage = iota
	// Fingerprint64 remembers a 64-bit hash value of each state. Of two states with the same value, the
	// second is taken for the first and lost, with all that only it leads to. Verdicts that depend on all
	// states having been seen hold up to [Report.CollisionBound].
	Fingerprint64
	// Fingerprint128 remembers 128 bits.
	Fingerprint128
)

var storageNames = [...]string{"exact", "fingerprint64", "fingerprint128"}

// String returns the name of the storage in one lower-case word.
func (s Storage) String() string {
	if int(s) >= len(storageNames) {
		return fmt.Sprintf("storage(%d)", uint8(s))
	}
	return storageNames[s]
}

// layout is how keys are made to begin with.
func (o Options) layout(width int) layout {
	switch o.Storage {
	case Fingerprint64:
		return layout{kind: hashed64, seed: o.HashSeed}
	case Fingerprint128:
		return layout{kind: hashed128, seed: o.HashSeed}
	}
	return newLayout(make([]uint8, width))
}
