package balance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/balance"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// A job moves to a site where it can run at once. The queues of its own dependents do not count. A
// silent node counts as busy, and so does a node to which a job has just moved.
func TestJobsMoveToWhereNodesAreFree(t *testing.T) {
	var cfg reptask.Config
	cfg.Dims, cfg.Machine = 2, 2
	a, b := protocol.NodeID{Address: 1, Incarnation: 1}, protocol.NodeID{Address: 2, Incarnation: 1}
	c, d := protocol.NodeID{Address: 3, Incarnation: 1}, protocol.NodeID{Address: 4, Incarnation: 1}
	cluster := []protocol.NodeID{a, b, c, d}
	job := func(number, size uint32, hosts ...protocol.NodeID) reptask.Idle {
		j := reptask.Idle{Job: reptask.Job{Owner: a, Number: number}, Size: size, MayDLB: true, MayQB: true}
		for _, h := range hosts {
			j.Waiting = append(j.Waiting, reptask.Waiting{Host: h, Ahead: 1})
			j.Sum, j.Of = j.Sum+1, j.Of+1
		}
		return j
	}
	for _, test := range []struct {
		what    string
		lengths map[protocol.NodeID]uint32
		idle    []reptask.Idle
		want    []protocol.NodeID
	}{
		{"c is free", map[protocol.NodeID]uint32{a: 2, b: 1, c: 0}, []reptask.Idle{job(1, 1, a)}, []protocol.NodeID{c}},
		{"nobody is", map[protocol.NodeID]uint32{a: 2, b: 1, c: 1}, []reptask.Idle{job(1, 1, a)}, nil},
		{"one is free, for one job", map[protocol.NodeID]uint32{a: 3, b: 1, c: 0},
			[]reptask.Idle{job(1, 1, a), job(2, 1, a)}, []protocol.NodeID{c}},
		{"c waits for the job itself", map[protocol.NodeID]uint32{a: 2, b: 0, c: 1},
			[]reptask.Idle{job(1, 2, a, c)}, []protocol.NodeID{c}}, // or b: a hash draws
		{"d has not answered", map[protocol.NodeID]uint32{a: 2, b: 0, c: 1}, []reptask.Idle{job(1, 2, a)}, nil},
	} {
		var got []protocol.NodeID
		for _, m := range balance.Proposed(&cfg, a, test.idle, cluster, test.lengths) {
			got = append(got, m.Target)
		}
		assert.Equal(t, test.want, got, test.what)
	}
}
