package custody_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/custody"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestModels(t *testing.T) {
	counts := map[string]uint64{
		"custody/one/run": 165, "custody/one/crash": 102, "custody/two/run": 9576, "custody/two/cancel": 281,
		"custody/two/crash": 4821, "custody/two/crash-cancel": 1015, "custody/two/restart": 7196,
		"custody/two/forget": 14529, "custody/two/last": 21501, "custody/two/back": 28634,
		"custody/three/run": 2831, "custody/three/crash": 39203,
		"custody/limit-last-to-fail": 28185, "custody/limit-false-death": 4162,
	}
	for _, m := range custody.Models() {
		want, small := counts[m.Info().Name]
		if !small {
			continue
		}
		delete(counts, m.Info().Name)
		t.Run(m.Info().Name, func(t *testing.T) {
			r, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
			require.NoError(t, err)
			assert.Equal(t, want, r.States)
			declared := map[string]bool{}
			for _, e := range m.Info().Expected {
				declared[e.Property] = e.Violated
			}
			for _, o := range r.Outcomes {
				verdict := checker.Holds
				if declared[o.Property.Name] {
					verdict = checker.Violated
				}
				assert.Equal(t, verdict, o.Verdict, o.Property.Name)
			}
		})
	}
	assert.Empty(t, counts, "no such models")
}

// Under another budget than its own a system still keeps its promises.
func TestMoreFaults(t *testing.T) {
	for _, m := range custody.Models() {
		if m.Info().Name != "custody/two/cancel" {
			continue
		}
		wider, err := m.With(model.Budget{Crash: 1, Duplicate: 1})
		require.NoError(t, err)
		r, err := checker.Check(context.Background(), wider.Model(), checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, checker.Holds, r.Verdict())
	}
}
