package daemon_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/daemon"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol"
)

// A node that does not answer may live: the sentence beside the table says so.
func TestNodesThatDoNotAnswerAreExplained(t *testing.T) {
	dead := api.NodeReport{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Error: api.Dead}
	assert.Empty(t, daemon.Mute([]api.NodeReport{dead, {Phase: "member"}}))
	silent := api.NodeReport{Node: protocol.NodeID{Address: 1, Incarnation: 2}, Error: "no answer"}
	assert.Regexp(t, "^B.2: no answer yet", daemon.Mute([]api.NodeReport{dead, silent}))
}

// A map with a gap is repaired at first. Only later is the remedy named that ends all that runs.
func TestTheRemedyForAGapComesAfterTheTakeover(t *testing.T) {
	gap := func(since time.Duration) string {
		return daemon.Torn([]api.NodeReport{{Phase: "member", Share: 0.5, Bereaved: since}, {Error: api.Dead}})
	}
	want := "The map is being repaired after the death of a node: 50.0 % of the map have no owner."
	assert.Equal(t, want, gap(time.Second))
	for _, since := range []time.Duration{0, time.Minute} {
		assert.Regexp(t, "^The map is broken: 50.0 % of the map have no owner.\n.*repair --regrid", gap(since))
	}
	assert.Empty(t, daemon.Torn([]api.NodeReport{{Phase: "member", Share: 1, Bereaved: 1}}))
}

func TestLivesThatRunOutAreAnnounced(t *testing.T) {
	life := func(number uint16) []api.NodeReport {
		return []api.NodeReport{{Node: protocol.NodeID{Address: 2, Incarnation: number}}}
	}
	assert.Empty(t, daemon.Old(life(api.OldLife-1)))
	assert.Regexp(t, "^C.60000: a node has 65,535 lives", daemon.Old(life(api.OldLife)))
}

// Nodes that say nothing do not move the columns of the others.
func TestTheTableOfNodesIsAligned(t *testing.T) {
	var text strings.Builder
	require.NoError(t, daemon.Table(&text, []api.NodeReport{
		{Node: protocol.NodeID{Address: 0, Incarnation: 1}, Error: "no answer"},
		{
			Node: protocol.NodeID{Address: 1, Incarnation: 2}, Phase: "member", Witness: true, LeaseLeft: 1, Queue: 2,
			Running: "A-3", CPUs: 8, Endpoint: "hub:7411", Zone: "[0,1)", Cluster: make([]protocol.NodeID, 3),
		},
		{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Error: api.Dead},
	}))
	assert.Equal(t, `node  phase            cluster  tasks  runs  cpus  endpoint  zone
A     no answer        -        -      -     -     -         -
B.2   member, witness  3        2      A-3   8     hub:7411  [0,1)
C     dead             -        -      -     -     -         -
`, text.String())
}
