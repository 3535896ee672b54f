//go:build fault_stale

package checker

const (
	faultLost  = false
	faultStale = true
)
