package checker_test

import (
	"context"
	"fmt"

	"github.com/canvass-grid/canvass/checker"
)

// Two processes guard a critical section with one flag each. A process raises its flag, then enters
// if the other flag is down. The two are never inside together, but both may raise their flags and
// then wait forever.
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
		Properties: []checker.Predicate[processes]{{
			Property: checker.Property{Name: "mutual exclusion", Shape: checker.Always},
			Holds:    func(s processes) bool { return s != processes{inside, inside} },
		}, {
			Property: checker.Property{Name: "entered", Shape: checker.Sometimes},
			Holds:    func(s processes) bool { return s[0] == inside },
		}, {
			Property: checker.Property{Name: "request granted", Shape: checker.LeadsTo},
			Triggers: func(s processes) bool { return s[0] == raised },
			Holds:    func(s processes) bool { return s[0] == inside },
		}},
	})

	report, err := checker.Check(context.Background(), model, checker.Options{ContinueAfterViolation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report)
	for _, o := range report.Outcomes {
		if o.Verdict != checker.Violated || o.Path == nil { // nil: of a witness that does not exist
			continue
		}
		fmt.Print(o.Property.Name, ":")
		for _, step := range o.Path.Steps {
			fmt.Print(" ", model.Text(step.State))
		}
		fmt.Println()
	}
	// Output:
	// violated: 8 states, 12 transitions, depth 3
	//   mutual exclusion  always         holds     8 cases
	//   entered           sometimes      holds     witness after 2 steps
	//   request granted   leads to       violated  2 steps, then the run stops
	//   deadlock          deadlock free  violated  2 steps
	// request granted: [0 0] [1 0] [1 1]
	// deadlock: [0 0] [1 0] [1 1]
}

func ExampleNewSuccessors() {
	model := checker.Of(checker.Spec[int]{
		Init: []int{3},
		Next: func(n int, yield func(int, int)) { yield(0, n/2); yield(0, 3*n+1) },
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

// A counter that doubles or grows by one has infinitely many states. Two machines look for a number
// that it should not reach, each with half of a swarm, and their reports are merged. Nothing is
// proved about the numbers that no search reached.
func ExampleSwarm() {
	isNot := func(bad uint64) func(uint64) bool { return func(n uint64) bool { return n != bad } }
	model := checker.Of(checker.Spec[uint64]{
		Init: []uint64{1},
		Next: func(n uint64, yield func(int, uint64)) { yield(0, 2*n); yield(0, n+1) },
		Properties: []checker.Predicate[uint64]{
			{Property: checker.Property{Name: "never 26", Shape: checker.Always}, Holds: isNot(26)},
			{Property: checker.Property{Name: "never 0", Shape: checker.Always}, Holds: isNot(0)},
		},
	})
	options := checker.Options{MaxStates: 10_000, MaxDepth: 12, BitstateBytes: 1 << 14}
	var reports []*checker.Report
	for i := range 2 {
		r, err := checker.Swarm(context.Background(), model, options, 4, checker.Shard{Index: i, Of: 2})
		if err != nil {
			fmt.Println(err)
			return
		}
		reports = append(reports, r)
	}
	sum, err := checker.Merge(reports...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range sum.Outcomes {
		fmt.Printf("%s: %v\n", o.Property.Name, o.Verdict)
	}
	for _, step := range sum.Outcomes[0].Path.Steps {
		fmt.Print(model.Value(step.State), " ")
	}
	// Output:
	// never 26: violated
	// never 0: inconclusive
	// deadlock: inconclusive
	// 1 2 3 6 12 13 26
}
