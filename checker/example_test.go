package checker_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// Two processes guard a critical section with one flag each: raise your own, then enter if the other's
// is down. Nobody is ever in there together, but both may raise their flags and wait for ever.
func Example() {
	const idle, raised, inside = 0, 1, 2
	type processes [2]byte

	model := checker.Of(checker.Spec[processes]{
		Init:    []processes{{}},
		Classes: []checker.Class{{Name: "raise"}, {Name: "enter", Fair: true}, {Name: "leave", Fair: true}},
		Next: func(s processes, yield func(class int, next processes)) {
			for me, other := range []int{1, 0} {
				next := s
				switch {
				case s[me] == idle:
					next[me] = raised
					yield(0, next)
				case s[me] == raised && s[other] == idle:
					next[me] = inside
					yield(1, next)
				case s[me] == inside:
					next[me] = idle
					yield(2, next)
				}
			}
		},
		Encode: func(dst []byte, s processes) []byte { return append(dst, s[0], s[1]) },
		Properties: []checker.Predicate[processes]{{
			Property: checker.Property{Name: "mutual exclusion", Shape: checker.Always},
			Holds:    func(s processes) bool { return s != processes{inside, inside} },
		}, {
			Property: checker.Property{Name: "someone gets in", Shape: checker.Sometimes},
			Holds:    func(s processes) bool { return s[0] == inside },
		}, {
			Property: checker.Property{Name: "whoever asks gets in", Shape: checker.LeadsTo},
			Triggers: func(s processes) bool { return s[0] == raised },
			Holds:    func(s processes) bool { return s[0] == inside },
		}},
	})

	report, err := checker.Check(context.Background(), model, checker.Options{ContinueAfterViolation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.States, "states,", report.Transitions, "transitions:", report.Verdict())
	for _, o := range report.Outcomes {
		fmt.Printf("%s: %v\n", o.Property.Name, o.Verdict)
		if o.Verdict != checker.Violated {
			continue
		}
		for _, step := range o.Path.Steps {
			fmt.Println("  ", model.Value(step.State))
		}
	}
	// Output:
	// 8 states, 12 transitions: violated
	// mutual exclusion: holds
	// someone gets in: holds
	// whoever asks gets in: violated
	//    [0 0]
	//    [1 0]
	//    [1 1]
	// deadlock: violated
	//    [0 0]
	//    [1 0]
	//    [1 1]
}

func ExampleNewSuccessors() {
	model := checker.Of(checker.Spec[int]{
		Init:   []int{3},
		Next:   func(n int, yield func(int, int)) { yield(0, n/2); yield(0, 3*n+1) },
		Encode: func(dst []byte, n int) []byte { return fmt.Append(dst, n) },
	})
	worker, out := model.NewWorker(), checker.NewSuccessors(model.Width())
	model.Initial(func(state []uint32) { worker.Expand(state, out) })
	for i := range out.Len() {
		fmt.Println(model.Value(out.At(i)))
	}
	// Output:
	// 1
	// 10
}
