// Package checktest runs checks of package checker as Go tests: [Run] for any model, [RunSystem]
// for a closed system of package model.
//
// # Usage
//
//	func TestLease(t *testing.T) {
//		system, err := lease.New(2, 1, false)
//		if err != nil {
//			t.Fatal(err)
//		}
//		checktest.RunSystem(t, system, checktest.Budget(model.Budget{Drop: 1}))
//	}
//
// [RunCounted] does so for the systems of a catalog, and demands the number of their states, so
// that no change of a model goes unnoticed.
//
// If a system violates a property, the failure has the shortest counterexample step by step, and a
// command that replays it: the same test with the actions in the variable CHECKTEST_REPLAY. It
// takes these actions only and shows their effects. While a core is being repaired, that is quicker
// than a check, and it reports when the run is no longer possible. Package examples/lease has such
// tests.
//
// # Guarantees
//
//   - A test passes only if every property holds, or is violated where that is expected.
//   - A check that ended early fails the test: an unknown is not a pass.
//   - Vacuous success fails the test: a property without a case, a witness that is there from the
//     beginning, a class of actions, a fault or a command that never happens, a model without
//     properties. [Vacuous] allows each by name.
//   - A failure shows the end of a run, however long it is, and says if the run stops there or
//     repeats.
//
// # Assumptions
//
//   - The test has a deadline, as tests have by default. The check ends a little before it, so that
//     the report says how far it came. Without a deadline, a check of infinitely many states ends
//     at the memory limit.
package checktest
