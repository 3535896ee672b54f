package can

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// catalogue lists the models of both cores.
func catalogue() []model.Checkable { return append(Published(), Models()...) }

// commands returns the texts of the orders that can be given at once, without the nodes that get
// them: joiners move up when a row grows.
func commands(m traces.Machine) []string {
	var all []string
	for _, a := range m.Enabled() {
		if a.Kind == "command" {
			all = append(all, a.Text)
		}
	}
	return all
}

func TestRowsGrow(t *testing.T) {
	grown := 0
	for _, m := range catalogue() {
		info := m.Info()
		sizes := []int{info.Nodes + 1, info.Nodes + 3}
		if testing.Short() {
			sizes = sizes[:1]
		}
		if !strings.Contains(info.Name, "/row") {
			continue
		}
		itself, err := m.(model.Resizable).WithNodes(info.Nodes)
		require.NoError(t, err, info.Name)
		assert.Equal(t, info, itself.Info(), "its own number of nodes changes nothing")
		for _, nodes := range sizes {
			larger, err := m.(model.Resizable).WithNodes(nodes)
			require.NoError(t, err, info.Name)
			got := larger.Info()
			assert.Equal(t, nodes, got.Nodes)
			assert.True(t, got.Resized)
			assert.NotEqual(t, info.Bounds, got.Bounds, "there are more zones")
			got.Nodes, got.Resized, got.Bounds = info.Nodes, info.Resized, info.Bounds
			assert.Equal(t, info, got, "nothing else changes")

			machine := larger.Machine()
			assert.Len(t, machine.State(), nodes+3, "network, monitor and budget come last")
			assert.Equal(t, commands(m.Machine()), commands(machine), info.Name)
			for _, p := range larger.Model().Properties() {
				if holds, err := machine.Check(p.Name); p.Name == "NoGap" || p.Name == "NoOverlap" || p.Name == "ViewsAgree" {
					require.NoError(t, err)
					assert.True(t, holds, "%s with %d nodes: %s", info.Name, nodes, p.Name)
				}
			}
			grown++
		}
		assert.Equal(t, info, m.Info(), "the model itself stays as it is")
		same, err := m.With(info.Budget)
		require.NoError(t, err)
		assert.Equal(t, m.Machine().State(), same.Machine().State(), "and so does its map")
	}
	assert.Greater(t, grown, 40)
}

// A longer row takes another budget and grows again.
func TestGrownRowsGrowOn(t *testing.T) {
	m := named(t, "can/row2/join-join")
	for _, nodes := range []int{5, 7, model.MaxNodes} {
		larger, err := m.WithNodes(nodes)
		require.NoError(t, err)
		faulty, err := larger.With(model.Budget{Drop: 1, Crash: nodes - 1})
		require.NoError(t, err)
		assert.Equal(t, nodes, faulty.Info().Nodes)
		assert.Equal(t, model.Budget{Drop: 1, Crash: nodes - 1}, faulty.Info().Budget)
		_, err = faulty.With(model.Budget{Crash: nodes})
		require.ErrorIs(t, err, model.ErrBudget)
		m = faulty.(model.Resizable)
	}
}

func named(t *testing.T, name string) model.Resizable {
	t.Helper()
	for _, m := range catalogue() {
		if m.Info().Name == name {
			return m.(model.Resizable)
		}
	}
	require.Fail(t, "no model "+name)
	return nil
}

func TestImpossibleSizes(t *testing.T) {
	tests := []struct {
		name  string
		nodes int
		says  string
	}{
		{"can/row3/join-crash", 3, "--nodes 3; it must be from 4 to 16"},
		{"can/row3/join-crash", 0, "--nodes 0; it must be from 4 to 16"},
		{"can/row3/join-crash", -1, "--nodes -1; it must be from 4 to 16"},
		{"can/row3/join-crash", 17, "--nodes 17; it must be from 4 to 16"},
		{"can/row6/leave-leave", 5, "--nodes 5; it must be from 6 to 16"},
		{"published/can/row4/leave-leave", 1, "--nodes 1; it must be from 4 to 16"},
		{"published/can/row4/leave-leave", 1 << 40, "from 4 to 16"},
		{"can/tee/leave", 4, "its map is fixed at 3 nodes; only rows grow"},
		{"can/square/leave-leave", 16, "its map is fixed at 4 nodes; only rows grow"},
		{"can/clones/join-join", 2, "its map is fixed at 3 nodes; only rows grow"},
		{"can/cube/join-leave", 99, "its map is fixed at 4 nodes; only rows grow"},
		{"published/can/square/leave-leave", 5, "its map is fixed at 4 nodes; only rows grow"},
	}
	for _, test := range tests {
		_, err := named(t, test.name).WithNodes(test.nodes)
		require.ErrorIs(t, err, model.ErrNodes, test.name)
		require.ErrorContains(t, err, "model "+test.name+": impossible number of nodes: ")
		require.ErrorContains(t, err, test.says)
	}
}
