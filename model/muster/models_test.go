package muster_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/muster"
)

// The smaller systems, with the numbers of their states. A commit that changes a number says why.
func TestModels(t *testing.T) {
	counts := map[string]uint64{
		"muster/one/run": 24, "muster/one/remote": 8671, "muster/pair/run": 9772, "muster/three/run": 6322,
		"muster/pair/failure": 7881, "muster/pair/unfit": 4477, "muster/three/crash": 1024, "muster/three/cancel": 12860,
		"muster/three/failure": 15596, "muster/pair/crash": 7541, "muster/apart/crash": 1250, "muster/apart/revoke": 13094,
		"muster/limit-no-end": 78,
	}
	for _, m := range muster.Models() {
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
	for _, m := range muster.Models() {
		if m.Info().Name != "muster/three/cancel" {
			continue
		}
		wider, err := m.With(model.Budget{Crash: 1})
		require.NoError(t, err)
		r, err := checker.Check(context.Background(), wider.Model(), checker.Options{})
		require.NoError(t, err)
		assert.Equal(t, checker.Holds, r.Verdict())
	}
}
