package checker_test

import (
	"context"
	"fmt"
	"os"

	"github.com/canvass-grid/canvass/checker"
)

// jugs holds the litres in a jug of three and a jug of five.
type jugs struct{ Three, Five int }

// pour yields what can be done with two jugs and a tap.
func pour(s jugs, yield func(class int, next jugs)) {
	const fill, empty, transfer = 0, 1, 2
	yield(fill, jugs{3, s.Five})
	yield(fill, jugs{s.Three, 5})
	yield(empty, jugs{0, s.Five})
	yield(empty, jugs{s.Three, 0})
	n := min(s.Three, 5-s.Five)
	yield(transfer, jugs{s.Three - n, s.Five + n})
	n = min(s.Five, 3-s.Three)
	yield(transfer, jugs{s.Three + n, s.Five - n})
}

// puzzle asks for four litres. It needs no Encode, since states of two integers can be compared.
func puzzle() *checker.ValueModel[jugs] {
	return checker.Of(checker.Spec[jugs]{
		Init:    []jugs{{}},
		Classes: []checker.Class{{Name: "fill"}, {Name: "empty"}, {Name: "transfer"}, {Name: "break"}},
		Next:    pour,
		Properties: []checker.Predicate[jugs]{{
			Property: checker.Property{Name: "never four litres", Shape: checker.Always},
			Holds:    func(s jugs) bool { return s.Five != 4 },
		}, {
			Property: checker.Property{Name: "both full", Shape: checker.Sometimes},
			Holds:    func(s jugs) bool { return s == jugs{3, 5} },
		}},
	})
}

// The shortest way to four litres is the counterexample to "never four litres".
func ExampleReport_WriteTo() {
	model := puzzle()
	report, err := checker.Check(context.Background(), model, checker.Options{ContinueAfterViolation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := report.WriteTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	four, _ := report.Outcome("never four litres")
	for _, step := range four.Path.Steps {
		fmt.Print(model.Text(step.State), " ")
	}
	// Output:
	// violated: 16 states, 96 transitions, depth 7
	//   never four litres  always         violated  6 steps
	//   both full          sometimes      holds     witness after 2 steps
	//   deadlock           deadlock free  holds     0 cases
	// never happened: break
	// {Three:0 Five:0} {Three:0 Five:5} {Three:3 Five:2} {Three:0 Five:2} {Three:2 Five:0} {Three:2 Five:5} {Three:3 Five:4}
}

// An action that never happens is most often a mistake in the model.
func ExampleReport_Actions() {
	report, err := checker.Check(context.Background(), puzzle(), checker.Options{ContinueAfterViolation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, action := range report.Actions() {
		fmt.Println(action.Class, action.Transitions)
	}
	broken, known := report.ActionCount("break")
	fmt.Println(broken, known)
	// Output:
	// fill 32
	// empty 32
	// transfer 32
	// break 0
	// 0 true
}
