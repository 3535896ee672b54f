package api_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol"
)

// A report has the former names of its fields for one release, and a report with only these names
// is read.
func TestReportsHaveFormerNames(t *testing.T) {
	gone := []protocol.NodeID{{Address: 1, Incarnation: 1}}
	r := api.NodeReport{
		Gone: gone, SinceDeath: time.Second, Awaits: 2, Known: 3,
		Doing: &api.Doing{Job: "j", Placed: 4, Inputs: 5},
	}
	r.AddFormerNames()
	text, err := json.Marshal(r)
	require.NoError(t, err)
	all := map[string]any{}
	require.NoError(t, json.Unmarshal(text, &all))
	task := map[string]any{
		"job": "j", "attempt": "", "stage": "", "copied": 0.0, "placed": 4.0, "laid": 4.0, "inputs_bytes": 5.0,
	}
	for now, former := range map[string]string{
		"dead_neighbours": "gone", "since_last_death_ns": "bereaved_ns", "open_jobs": "awaits", "task": "doing",
		"known_nodes": "known",
	} {
		require.NotEmpty(t, all[now], now)
		assert.Equal(t, all[now], all[former], former)
		delete(all, now)
	}
	assert.Equal(t, task, all["doing"])

	delete(all["doing"].(map[string]any), "placed")
	text, err = json.Marshal(all)
	require.NoError(t, err)
	var old api.NodeReport
	require.NoError(t, json.Unmarshal(text, &old))
	assert.Equal(t, r, old)
}
