//go:build fault_lost

package checker

const (
	faultLost  = true
	faultStale = false
)
