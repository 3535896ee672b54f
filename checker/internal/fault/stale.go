//go:build fault_stale

package fault

const (
	Lost  = false
	Stale = true
)
