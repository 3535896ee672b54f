package node_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/commandtest"
	commands "github.com/canvass-grid/canvass/cmd/canvass/node"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

// A node that does not answer may live: the sentence beside the table says so.
func TestNodesThatDoNotAnswerAreExplained(t *testing.T) {
	dead := api.NodeReport{Node: protocol.NodeID{Address: 2, Incarnation: 1}, Error: api.Dead}
	assert.Empty(t, commands.Mute([]api.NodeReport{dead, {Phase: "member"}}))
	silent := api.NodeReport{Node: protocol.NodeID{Address: 1, Incarnation: 2}, Error: "no answer"}
	assert.Regexp(t, "^B.2: no answer yet", commands.Mute([]api.NodeReport{dead, silent}))
}

// A map with a gap is repaired at first. Only later is the remedy named that ends all that runs.
func TestTheRemedyForAGapComesAfterTheTakeover(t *testing.T) {
	gap := func(since time.Duration) string {
		return commands.Torn([]api.NodeReport{{Phase: "member", Share: 0.5, SinceDeath: since}, {Error: api.Dead}})
	}
	want := "The map is being repaired after the death of a node: 50.0 % of the map have no owner."
	assert.Equal(t, want, gap(time.Second))
	for _, since := range []time.Duration{0, time.Minute} {
		assert.Regexp(t, "^The map is broken: 50.0 % of the map have no owner.\n.*repair --regrid", gap(since))
	}
	assert.Empty(t, commands.Torn([]api.NodeReport{{Phase: "member", Share: 1, SinceDeath: 1}}))
}

func TestLivesThatRunOutAreAnnounced(t *testing.T) {
	life := func(number uint16) []api.NodeReport {
		return []api.NodeReport{{Node: protocol.NodeID{Address: 2, Incarnation: number}}}
	}
	assert.Empty(t, commands.Old(life(api.OldLife-1)))
	assert.Regexp(t, "^C.60000: a node has 65,535 lives", commands.Old(life(api.OldLife)))
}

// Nodes that say nothing do not move the columns of the others.
func TestTheTableOfNodesIsAligned(t *testing.T) {
	var text strings.Builder
	require.NoError(t, commands.Table(&text, []api.NodeReport{
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

// On a terminal of 80 columns no table is wider; elsewhere cells are whole.
func TestTablesFitTheTerminal(t *testing.T) {
	nodes := []api.NodeReport{{
		Node: protocol.NodeID{Address: 1, Incarnation: 2}, Phase: "member", Draining: true, Witness: true,
		Running: "C-7, rank 3", Endpoint: "node-of-a-long-name.example.com:7411", CPUs: 128,
		Zone: "[0,4096)x[0,1048576)x[687736,1048576)", Process: api.Process{Build: strings.Repeat("long ", 30)},
	}, {Node: protocol.NodeID{Address: 2}, Error: api.Dead}}
	for name, write := range map[string]func(*cli.Output) error{
		"all": func(out *cli.Output) error { return commands.Table(out, nodes) },
		"one": func(out *cli.Output) error { return commands.OneNode(out, &nodes[0]) },
	} {
		t.Run(name, func(t *testing.T) {
			_, whole := commandtest.Fits(t, write)
			assert.Contains(t, whole, nodes[0].Zone)
		})
	}
}

// leaving is a grid from which a node leaves, as each question finds it.
type leaving struct {
	api.Grid
	reports []api.NodeReport
}

func (l *leaving) Nodes(context.Context) ([]api.NodeReport, error) {
	now := l.reports[0]
	l.reports = l.reports[1:]
	return []api.NodeReport{now}, nil
}

// A drain shows why the node waits, until it is dead.
func TestADrainShowsWhatItWaitsFor(t *testing.T) {
	said, c := &strings.Builder{}, protocol.NodeID{Address: 2, Incarnation: 1}
	grid := &leaving{reports: []api.NodeReport{
		{Node: c, Draining: true, Awaits: 2, Queue: 1}, {Node: c, Draining: true, Queue: 3}, {Node: c, Draining: true},
		{Node: c, Error: "no answer"}, {Node: c, Error: api.Dead},
	}}
	for i := range grid.reports {
		grid.reports[i].Witness = i < 3
	}
	var warnings strings.Builder
	require.NoError(t, commands.Left(t.Context(), grid, c, cli.NewProgress(cli.NewMessages(said), false), 0, &warnings))
	assert.Equal(t, 1, strings.Count(warnings.String(), "node C is a witness"), "said once")
	assert.Equal(t, "canvass: node C leaves: it waits for the end of 2 jobs, and holds 1 task\n"+
		"canvass: node C leaves: it waits for the end of 3 tasks\n"+
		"canvass: node C leaves: it is handing over its zone of the map\n"+
		"canvass: node C does not answer; waiting until the witnesses count it as dead\n", said.String())
}
