package checker_test

import (
	"context"
	"testing"

	"github.com/canvass-grid/canvass/checker"
)

// BenchmarkTwoPhaseCommit explores two-phase commit with eight resource managers, a model whose Expand
// costs next to nothing, so that what is measured is the engine.
func BenchmarkTwoPhaseCommit(b *testing.B) {
	var states, transitions uint64
	for b.Loop() {
		r, err := checker.Check(context.Background(), newTwoPhase(8), checker.Options{ContinueAfterViolation: true})
		if err != nil || r.States == 0 {
			b.Fatal(r, err)
		}
		states += r.States
		transitions += r.Transitions
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
}
