//go:build !fault_lost && !fault_stale

package fault

// Without a tag the engine is not broken.
const (
	Lost  = false
	Stale = false
)
