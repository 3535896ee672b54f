//go:build fault_lost

package fault

const (
	Lost  = true
	Stale = false
)
