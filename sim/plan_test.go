package sim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/sim"
	"github.com/canvass-grid/canvass/sim/catalog"
)

func TestPlansRoundTrip(t *testing.T) {
	for _, w := range catalog.All() {
		for seed := range uint64(20) {
			p := w.Draw(seed)
			again, err := sim.DecodePlan(p.String())
			require.NoError(t, err)
			require.Equal(t, p.String(), again.String())
			assert.Equal(t, p, p.Clone())
			assert.Equal(t, w.Name, p.Scenario)
			assert.Equal(t, p, w.Draw(seed))
		}
	}
}

func TestImpossiblePlans(t *testing.T) {
	good := `{"scenario":"w","seed":1,"nodes":2,"latency":"constant 5","faults":null,"ops":[{"at":1,"do":"x","node":1}],` +
		`"until_micros":9}`
	_, err := sim.DecodePlan(good)
	require.NoError(t, err)
	for old, bad := range map[string]string{
		`"nodes":2`:               `"nodes":0`,
		`"seed":1`:                `"seed":-1`,
		`"latency":"constant`:     `"latency":"constantly`,
		`constant 5`:              `measured 0123 7 file`,
		`"node":1`:                `"node":2`,
		`"at":1`:                  `"at":-1`,
		`"until_micros":9`:        `"until_micros":-9`,
		`"scenario":"w"`:          `"scenario":"w","wrld":1`,
		`"nodes":2,`:              `"nodes":2,"founders":3,`,
		`"faults":null`:           `"lose":1000001`,
		`"ops":[`:                 `"drift_ppm":900000,"ops":[`,
		`"until_micros":9}`:       `"until_micros":9} {}`,
		`{"scenario":"w","seed":`: `[`,
	} {
		text := strings.Replace(good, old, bad, 1)
		require.NotEqual(t, good, text)
		_, err := sim.DecodePlan(text)
		assert.ErrorIs(t, err, sim.ErrPlan, text)
	}
}

// Plans and headers of traces of earlier releases call the scenario a world.
func TestPlansOfEarlierReleases(t *testing.T) {
	const rest = `"seed":1,"nodes":2,"latency":"constant 5","faults":null,"ops":null,"until_micros":9}`
	p, err := sim.DecodePlan(`{"world":"can/churn",` + rest)
	require.NoError(t, err)
	assert.Equal(t, "can/churn", p.Scenario)
	assert.Equal(t, `{"scenario":"can/churn",`+rest, p.String())
	_, err = sim.DecodePlan(`{"world":"can/churn","scenario":"can/churn",` + rest)
	require.ErrorIs(t, err, sim.ErrPlan)
}

// FuzzDecodePlan: every plan that is read can be written and read again.
func FuzzDecodePlan(f *testing.F) {
	for _, w := range catalog.All() {
		f.Add(w.Draw(1).String())
	}
	f.Add(`{"scenario":"w","nodes":2,"latency":"uniform 1 2 asymmetric 7","faults":[{"node":1,"number":3,"kind":"lose"}]}`)
	f.Add(`{"world":"w","nodes":2,"latency":"constant 5"}`)
	f.Add(`{"scenario":"w","nodes":2,"latency":"measured 0123456789abcdef 7 a b.tsv","faults":null,"ops":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := sim.DecodePlan(text)
		if err != nil {
			require.ErrorIs(t, err, sim.ErrPlan)
			return
		}
		again, err := sim.DecodePlan(p.String())
		require.NoError(t, err)
		require.Equal(t, p.String(), again.String())
	})
}
