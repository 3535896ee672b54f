package daemon_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/cmd/canvass/daemon"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
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

// evil is a text of a user that would clear the screen and forge a line.
const evil = "x\x1b[2J\ncanvass: forged\t\u009b"

// sample is a job whose every text is wide, and written by somebody who means harm.
func sample() *jobs.Record {
	wide := strings.Repeat(evil+" ", 20)
	at := time.Now()
	return &jobs.Record{
		ID: "b4k2xxxxxxxxx", State: jobs.Failed, Note: wide, User: evil,
		Spec:    jobs.Spec{Command: []string{wide, wide}, Tasks: 2},
		Changes: []jobs.Change{{At: at, State: jobs.Failed, Reason: wide}},
		Attempts: []jobs.Attempt{{
			Hosts: make([]protocol.NodeID, 2), Reason: wide,
			Statuses: []jobs.Status{{Unfit: true, Error: wide}, {Code: 3}},
			Ranks:    []jobs.Rank{{Begin: at, Stderr: wide, Problem: wide}, {}},
		}},
	}
}

// On a terminal of 80 columns no table is wider, and no text of a user does more than stand there.
func TestTablesFitTheTerminalAndAreHarmless(t *testing.T) {
	nodes := []api.NodeReport{{
		Node: protocol.NodeID{Address: 1, Incarnation: 2}, Phase: "member", Draining: true, Witness: true,
		Running: "C-7, rank 3", Endpoint: "node-of-a-long-name.example.com:7411", CPUs: 128,
		Zone: "[0,4096)x[0,1048576)x[687736,1048576)", Build: strings.Repeat("long ", 30),
	}, {Node: protocol.NodeID{Address: 2}, Error: api.Dead}}
	for name, write := range map[string]func(*cli.Output) error{
		"nodes":     func(out *cli.Output) error { return daemon.Table(out, nodes) },
		"nodes A":   func(out *cli.Output) error { return daemon.OneNode(out, &nodes[0]) },
		"status":    func(out *cli.Output) error { return out.Table(daemon.JobTable([]*jobs.Record{sample()}, time.Now())) },
		"status ID": func(out *cli.Output) error { return daemon.Describe(out, sample(), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			var b, whole bytes.Buffer
			out := cli.NewOutput(&b)
			out.Resize(80)
			require.NoError(t, write(out))
			require.NoError(t, write(cli.NewOutput(&whole)))
			for line := range strings.Lines(b.String()) {
				assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, "%s", line)
			}
			for _, text := range []string{b.String(), whole.String()} {
				assert.NotContains(t, text, "\x1b")
				assert.NotContains(t, text, "\u009b")
				assert.NotContains(t, text, "\ncanvass: forged")
			}
			if strings.HasPrefix(name, "nodes") {
				assert.Contains(t, whole.String(), nodes[0].Zone, "where there is no terminal, cells are whole")
			}
		})
	}
}
