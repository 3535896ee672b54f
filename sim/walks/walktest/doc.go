// Package walktest tests scenarios of package sim/walks.
//
// # Usage
//
// Call [Draws], [Holds] and [Refuses] in the tests of a package of scenarios.
//
// # Guarantees
//
//   - Draws: every drawn plan has a system, and all operations and faults are drawn.
//   - Holds: walks hold and become quiescent.
//   - Refuses: an impossible plan is an error that says why.
package walktest
