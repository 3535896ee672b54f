//go:build !fault_lost && !fault_stale

package fault

// The engine can be built broken, to see that the tests notice: with the tag fault_lost it loses a successor
// now and then, with fault_stale its caches answer for pairs that they were not told of. faults_test.go
// does so.
const (
	Lost  = false
	Stale = false
)
