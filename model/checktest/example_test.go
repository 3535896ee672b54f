package checktest_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/checktest"
)

// printed is a testing.TB that prints where a test would log or fail. Tests pass their *testing.T.
type printed struct{ fake }

func (*printed) Logf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// A counter modulo three. In a test, the first argument of Run is the test's t.
func Example() {
	counter := checker.Of(checker.Spec[int]{
		Init: []int{0},
		Next: func(n int, yield func(class int, next int)) { yield(0, (n+1)%3) },
		Properties: []checker.Predicate[int]{{
			Property: checker.Property{Name: "Below", Shape: checker.Always},
			Holds:    func(n int) bool { return n < 3 },
		}},
	})
	t := &printed{}
	checktest.Run(t, counter)
	fmt.Println("failures:", len(t.failed))
	// Output:
	// 3 states, 3 transitions, depth 2: holds
	// failures: 0
}
