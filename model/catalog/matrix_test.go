package catalog_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/internal/share"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
)

// matrixModel is the number of states up to which models are checked under every option.
const matrixModel = 2_000

// matrix is one choice for each option of the engine that may not change a verdict, and all
// compatible choices together.
func matrix() map[string]checker.Options {
	all := map[string]checker.Options{}
	for _, order := range []checker.Order{checker.BreadthFirst, checker.DepthFirst, checker.IterativeBound} {
		for _, storage := range []checker.Storage{checker.Exact, checker.Fingerprint64, checker.Fingerprint128} {
			for _, reduce := range []bool{false, true} {
				for _, workers := range []int{1, 2} {
					name := fmt.Sprintf("%v, %v, reduce %v, %d workers", order, storage, reduce, workers)
					all[name] = checker.Options{
						Order: order, Storage: storage, Reduce: reduce, Workers: workers, ContinueAfterViolation: true,
						MemoryLimitBytes: 1 << 28, BoundStep: 7,
					}
				}
			}
		}
	}
	return all
}

// No option of the engine changes a verdict on any property of any small model. CI tries a share of
// the models.
func TestEveryOptionGivesTheSameVerdicts(t *testing.T) {
	some, err := share.Of(catalog.All())
	require.NoError(t, err)
	tried := 0
	for _, m := range some {
		if m.Info().Deep {
			continue
		}
		first, err := checker.Check(context.Background(), m.Model(),
			checker.Options{MaxStates: matrixModel, ContinueAfterViolation: true})
		require.NoError(t, err)
		if first.Stopped == checker.StoppedByStates || testing.Short() && tried >= 5 {
			continue
		}
		tried++
		reduces := reducible(t, m)
		for name, options := range matrix() {
			if options.Reduce && !reduces {
				continue
			}
			sameVerdicts(t, m, first, name, options)
		}
	}
	t.Logf("%d models of %d, the others are larger or of other shares", tried, len(catalog.All()))
	assert.GreaterOrEqual(t, tried, 5, "small models")
}

func sameVerdicts(t *testing.T, m model.Checkable, first *checker.Report, name string, options checker.Options) {
	t.Helper()
	system := m
	if options.Storage != checker.Exact {
		system = m.(model.Safe).Safety() // an inexact storage decides no liveness
	}
	report, err := checker.Check(context.Background(), system.Model(), options)
	require.NoError(t, err)
	for _, o := range report.Outcomes {
		want, ok := first.Outcome(o.Property.Name)
		require.True(t, ok)
		assert.Equal(t, want.Verdict, o.Verdict, "%s, %s: %s", m.Info().Name, name, o.Property.Name)
	}
	if !options.Reduce && report.Complete && first.Complete {
		assert.Equal(t, first.States, report.States, "%s, %s", m.Info().Name, name)
		assert.Equal(t, first.Transitions, report.Transitions, "%s, %s", m.Info().Name, name)
	}
}
