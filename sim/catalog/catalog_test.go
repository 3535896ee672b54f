package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/catalog"
	"github.com/canvass-grid/canvass/traces"
)

// Each scenario has a unique name and a line of text, and its first seed runs.
func TestScenarios(t *testing.T) {
	names := map[string]bool{}
	for _, w := range catalog.All() {
		assert.False(t, names[w.Name], "two scenarios are called %s", w.Name)
		names[w.Name] = true
		assert.NotEmpty(t, w.Doc)
		p := w.Draw(1)
		require.NoError(t, p.Validate())
		r, err := w.Run(p, sim.RunOptions{})
		require.NoError(t, err)
		assert.NotEqual(t, sim.Inconclusive, r.Verdict)
		assert.Empty(t, w.ShapeOf("NoSuchProperty"))
		properties := map[string]bool{}
		for _, p := range w.Properties() {
			assert.False(t, properties[p.Name], "%s has two properties %s", w.Name, p.Name)
			properties[p.Name] = true
			assert.NotEmpty(t, p.Doc)
			assert.NotEmpty(t, p.Shape.String())
		}
		assert.NotEmpty(t, properties)
	}
}

// The texts of runs are explained, and runs are drawn: on a map if nodes have coordinates.
func TestWordsExplainRuns(t *testing.T) {
	kinds := map[string]string{
		"deliver":       traces.MessageTerm,
		"timeout":       traces.TimerTerm,
		"timeout-early": traces.TimerTerm,
		"command":       traces.CommandTerm,
	}
	for _, w := range catalog.All() {
		p := w.Draw(3)
		p.Faults = []sim.Fault{} // so that walks are those of the plan
		m, err := sim.NewMachine(w, p)
		require.NoError(t, err)
		explained := func(kind, text string) {
			_, ok := traces.Explain(w.Words(), kind, text)
			require.True(t, ok, "%s: the %s %q is not explained", w.Name, kind, text)
		}
		large := len(m.Draw().Nodes) == 0
		for step := range 2000 {
			enabled := m.Enabled()
			if len(enabled) == 0 {
				break
			}
			if kind := kinds[enabled[0].Kind]; kind != "" {
				explained(kind, enabled[0].Text)
			}
			for _, effect := range m.Take(0) {
				if event, ok := strings.CutPrefix(effect, "event "); ok && !strings.HasPrefix(event, "crash") {
					explained(traces.EventTerm, event)
				}
			}
			if step%100 == 0 && !large {
				p := m.Draw()
				family, _, _ := strings.Cut(w.Name, "/")
				require.NotEmpty(t, p.Nodes)
				require.Equal(t, slices.Contains([]string{"can", "store", "peer"}, family), len(p.Axes) > 0, w.Name)
			}
		}
	}
}

func TestCurrentName(t *testing.T) {
	for former, current := range map[string]string{
		"clusters/bursts":       "refine/bursts",
		"tasks/limit-long-cuts": "reptask/limit-long-cuts",
		"grid/jobs":             "peer/jobs",
		"can/churn":             "can/churn",
		"store/steady":          "store/steady",
		"refine/bursts":         "refine/bursts",
		"toy/tasks/grid":        "toy/tasks/grid",
	} {
		assert.Equal(t, current, catalog.CurrentName(former))
	}
}
