package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// Every machine draws what its state says in words: the same nodes, down or not, and the same
// messages.
func TestMachineDrawsItsState(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range walkedToys(t, func(b model.Budget) bool { return b.Crash > 0 }) {
		drawer, ok := p.machine.(traces.Drawer)
		require.True(t, ok)
		p.machine.Reset()
		for step := range 40 {
			state, picture := p.machine.State(), drawer.Draw()
			var flying []string
			for _, m := range picture.Flying {
				flying = append(flying, m.From+"->"+m.To+" "+m.Text)
			}
			for i, node := range picture.Nodes {
				assert.Equal(t, state[i].Name, node.Name)
				assert.Equal(
					t,
					strings.HasPrefix(state[i].Value, "down"),
					node.Status == "down",
					"%s: %s is %q",
					p.name,
					state[i],
					node.Status,
				)
				seen[node.Status] = true
			}
			network := state[len(picture.Nodes)]
			assert.Equal(t, traces.Variable{Name: "network", Value: strings.Join(flying, "; ")}, network)
			seen["flying"] = seen["flying"] || len(flying) > 1
			enabled := p.machine.Enabled()
			if len(enabled) == 0 {
				break
			}
			p.machine.Take((7*step + 3) % len(enabled))
		}
	}
	assert.Equal(
		t,
		map[string]bool{"": true, "down": true, "ended": true, "flying": true},
		seen,
		"the walks met too little",
	)
}
