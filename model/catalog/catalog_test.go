package catalog_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/traces"
)

const corpus = "../../traces/corpus"

func byName() map[string]model.Checkable {
	all := map[string]model.Checkable{}
	for _, m := range catalog.All() {
		all[m.Info().Name] = m
	}
	return all
}

func TestNamesAreUniqueAndDocumented(t *testing.T) {
	assert.Len(t, byName(), len(catalog.All()), "two models have the same name")
	for name, m := range byName() {
		info := m.Info()
		assert.NotEmpty(t, info.Doc, name)
		assert.NotContains(t, name, " ")
		properties := map[string]bool{}
		for _, p := range m.Model().Properties() {
			properties[p.Name] = true
			assert.NotEmpty(t, p.Doc, "%s: %s", name, p.Name)
		}
		for _, e := range info.Expected {
			assert.True(t, properties[e.Property], "%s expects a verdict on %s, which it does not have", name, e.Property)
			assert.NotEmpty(t, e.Why, "%s: %s", name, e.Property)
		}
	}
}

// A model in which nothing happens satisfies every other property.
func TestEveryModelHasAWitness(t *testing.T) {
	for name, m := range byName() {
		shown := slices.ContainsFunc(m.Info().Expected, func(e model.Expectation) bool { return e.Violated })
		for _, p := range m.Model().Properties() {
			shown = shown || p.Shape == checker.Sometimes
		}
		assert.True(t, shown, "%s: no property names an event that must happen in it", name)
	}
}

// Every counterexample ever found still is one, on the core as it is.
func TestCorpusReplays(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus, "*.itf.json"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	models := byName()
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			trace, err := traces.ReadFile(path)
			require.NoError(t, err)
			m := models[trace.Header.Model]
			require.NotNil(t, m, "no model %s", trace.Header.Model)
			assert.NoError(t, traces.Replay(m.Machine(), trace, nil))
			assert.Equal(t, m.Info().Bounds, trace.Header.Bounds)
			for _, p := range m.Model().Properties() {
				if p.Name == trace.Header.Property {
					assert.Equal(t, []string{p.Shape.String(), p.Doc}, []string{trace.Header.Shape, trace.Header.Description})
				}
			}
		})
	}
}

// The corpus holds the shortest trace of each expected violation, and nothing else.
func TestCorpusIsComplete(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(corpus, "*.itf.json"))
	require.NoError(t, err)
	have := map[string]int{}
	for _, path := range paths {
		trace, err := traces.ReadFile(path)
		require.NoError(t, err)
		have[trace.Header.Model+" "+trace.Header.Property] = len(trace.Steps) - 1
	}
	want := map[string]int{}
	for name, m := range byName() {
		if m.Info().Deep || len(m.Info().Expected) == 0 {
			continue
		}
		report, err := checker.Check(context.Background(), m.Model(), checker.Options{ContinueAfterViolation: true})
		require.NoError(t, err)
		for _, e := range m.Info().Expected {
			outcome, ok := report.Outcome(e.Property)
			require.True(t, ok)
			if outcome.Path != nil {
				want[name+" "+e.Property] = len(outcome.Path.Steps) - 1
			}
		}
	}
	assert.Equal(t, want, have, "refresh it: canvass check 'published/*' '*limit*' --trace-dir traces/corpus")
}
