package reasons

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

func TestWhyAJobWaits(t *testing.T) {
	a, b := protocol.NodeID{Address: 0, Incarnation: 1}, protocol.NodeID{Address: 1, Incarnation: 1}
	both := []api.NodeReport{
		{Node: a, Phase: "member", Share: 0.25, Cluster: []protocol.NodeID{a, b}},
		{Node: b, Phase: "member", Share: 0.75, Cluster: []protocol.NodeID{a, b}, Queue: 1},
	}
	for _, test := range []struct {
		name   string
		record jobs.Record
		nodes  []api.NodeReport
		want   []string
	}{
		{
			"too wide", jobs.Record{ID: "b4k2", Spec: jobs.Spec{Tasks: 3}, Note: "no cluster is large enough"}, both,
			[]string{
				"It needs 3 nodes at once, and the largest cluster has 2; the grid has 2 members. " +
					"It starts when a cluster has grown to 3; canvass cancel b4k2 gives it up.",
			},
		}, {
			"no owner", jobs.Record{Spec: jobs.Spec{Tasks: 2}, Note: "no cluster had room for it"}, both,
			[]string{
				"No node owns it yet: the grid is searching for an owner.",
				"The grid said last: no cluster had room for it.",
			},
		}, {
			"behind others", jobs.Record{Spec: jobs.Spec{Tasks: 1}, Owner: b}, both,
			[]string{"Node B owns it, and its tasks are being placed, or wait on busy nodes; 1 of 2 nodes are idle."},
		}, {
			"a gap", jobs.Record{Spec: jobs.Spec{Tasks: 1}}, both[:1],
			[]string{
				"The map is broken: 75.0 % of the map have no owner; if that stays so, the witnesses have a new map made.",
				"No node owns it yet: the grid is searching for an owner.",
			},
		}, {
			"a mute node", jobs.Record{Spec: jobs.Spec{Tasks: 1}, Owner: a},
			[]api.NodeReport{both[0], {Node: b, Error: "no answer"}},
			[]string{
				"1 of 2 nodes do not answer: B; their jobs wait until they answer or count as dead.",
				"Node A owns it, and its tasks are being placed.",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, reasons(&test.record, test.nodes, nil)) })
	}
}

// Each phase of a job has a separate sentence.
func TestEachPhaseOfAJobHasASentence(t *testing.T) {
	b, c := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}
	job := func(change func(*jobs.Record)) *jobs.Record {
		r := &jobs.Record{ID: "j", Acked: true, Custodians: jobs.Custodians{0, 1}, Owner: b, Spec: jobs.Spec{Tasks: 2}}
		change(r)
		return r
	}
	open := func(r *jobs.Record) { r.Attempts = []jobs.Attempt{{By: b, Epoch: 4, Hosts: []protocol.NodeID{b, c}}} }
	hosts := func(stages ...string) (nodes []api.NodeReport) {
		for i, id := range []protocol.NodeID{b, c} {
			n := api.NodeReport{Node: id, Phase: "member", Cluster: []protocol.NodeID{b, c}}
			if i < len(stages) {
				n.Queue = 1
				n.Doing = &api.Doing{
					Job: "j", Stage: stages[i], Copied: 2_500_000, Placed: 900, Inputs: 300_000_000, Outputs: 40_000_000,
				}
			}
			nodes = append(nodes, n)
		}
		return nodes
	}
	whole := hosts(api.StageCopies)
	whole[0].Doing.Copied = 300_000_000
	bare := hosts(api.StageCopies)
	*bare[0].Doing = api.Doing{Job: "j", Stage: api.StageCopies}
	other := hosts(api.StageRuns, api.StageRuns)
	other[0].Doing.Job, other[1].Doing.Job = "other", "other"
	said := map[string]bool{}
	for _, test := range []struct {
		want  string
		r     *jobs.Record
		nodes []api.NodeReport
	}{
		{"Its custodians A, B have to put it on their disks.", job(func(r *jobs.Record) { r.Acked = false }), hosts()},
		{"Its custodians A, B copy its inputs, and then take it.", job(func(r *jobs.Record) {
			r.Acked, r.Spec.Stdin = false, "digest"
		}), hosts()},
		{"No node owns it yet", job(func(r *jobs.Record) { r.Owner = protocol.NodeID{} }), hosts()},
		{"Node B owns it, and its tasks are being placed.", job(func(*jobs.Record) {}), hosts()},
		{"2 of 2 nodes have tasks; it waits behind older jobs.", job(func(*jobs.Record) {}), other},
		{"Host B copies its inputs: 2.5 MB of 300.0 MB have arrived.", job(func(*jobs.Record) {}), hosts(api.StageCopies)},
		{"Host B puts its inputs into the working folder: 900 bytes of 300.0 MB are there.",
			job(func(*jobs.Record) {}), whole},
		{"Host B looks for its command, and prepares the working folder.", job(func(*jobs.Record) {}), bare},
		{"Host C copies its inputs", job(func(*jobs.Record) {}), hosts(api.StageReady, api.StageCopies)},
		{"Host B is ready", job(func(*jobs.Record) {}), hosts(api.StageReady, api.StageReady)},
		{"Its hosts are ready: attempt B-4 waits for the permit of its custodians A, B.", job(func(r *jobs.Record) {
			r.Asked = &jobs.Attempt{By: b, Epoch: 4}
		}), hosts(api.StageReady, api.StageReady)},
		{"It does not wait: attempt B-4 runs on B C.", job(open), hosts(api.StageRuns, api.StageRuns)},
		{"Its task on host C has ended, and its outputs, 40.0 MB, are being copied to the custodians A, B.",
			job(open), hosts(api.StageRuns, api.StageOutputs)},
		{"Its task on host B has ended; the custodians have to keep the outcome.", job(open),
			hosts(api.StageOver, api.StageOver)},
		{"It is to end as cancelled: its tasks receive TERM, and SIGKILL after 2s.", job(func(r *jobs.Record) {
			open(r)
			r.Requested = jobs.Cancelled
		}), hosts(api.StageEnds, api.StageRuns)},
	} {
		why := Of(test.r, test.nodes, Circumstances{})
		require.NotEmpty(t, why, test.want)
		assert.Contains(t, why[0], test.want)
		assert.False(t, said[why[0]], "%s: said of another phase", why[0])
		said[why[0]] = true
	}
}

// A job that awaits its turn is not looked for in the grid yet, in spite of an idle node.
func TestAJobThatAwaitsItsTurnIsSaidToWaitForOthers(t *testing.T) {
	node := api.NodeReport{Node: protocol.NodeID{Incarnation: 1}, Phase: "member", Share: 1}
	turns := func(members int) int { return 40 + members }
	why := Of(&jobs.Record{Acked: true}, []api.NodeReport{node}, Circumstances{Turns: turns})
	require.Len(t, why, 1)
	assert.Contains(t, why[0], "It waits for its turn")
	assert.Contains(t, why[0], "at most 41 of its jobs")
}
