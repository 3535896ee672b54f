// Package checktest makes a check a Go test: [Run] for any model, [RunSystem] for a closed system of package
// model.
//
//	func TestLease(t *testing.T) {
//		system, err := lease.New(2, 1, false)
//		if err != nil {
//			t.Fatal(err)
//		}
//		checktest.RunSystem(t, system, checktest.Budget(model.Budget{Drop: 1}))
//	}
//
// A test fails unless every property holds, or is violated where that was declared; a check that came to no
// end fails too, since an unknown is no pass. It fails with the verdict, the shortest counterexample step by
// step, and, for a system, a command that replays it: the test is run once more with the actions in the
// variable CHECKTEST_REPLAY, takes these alone, and shows what each of them did. While a core is being
// mended that is quicker than a check, and it says when the run has become impossible.
//
// A check ends a little before the test's own deadline, so that the report says how far it came.
package checktest
