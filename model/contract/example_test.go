package contract_test

import (
	"fmt"

	"github.com/canvass-grid/canvass/model/contract"
)

// A step is a pair of counters, which must not fall.
func ExampleCheck() {
	type step struct{ before, after int }
	rules := []contract.Rule[step]{{
		Name: "Grows", Doc: "a counter never falls",
		Broken: func(s *step) string {
			if s.after < s.before {
				return fmt.Sprintf("it falls from %d to %d", s.before, s.after)
			}
			return ""
		},
	}}
	fmt.Println(len(contract.Check(rules, &step{1, 2})))
	for _, e := range contract.Check(rules, &step{2, 1}) {
		fmt.Println(rules[e.Number].Name, e.Detail)
	}
	// Output:
	// 0
	// Grows it falls from 2 to 1
}
