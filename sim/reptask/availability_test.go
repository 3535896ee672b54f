package reptask

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/sim"
)

// A node could have taken a job if it lives, stays, and has had a large enough cluster since the
// owner took the job.
func TestAvailability(t *testing.T) {
	id := func(a protocol.Address) protocol.NodeID { return protocol.NodeID{Address: a, Incarnation: 1} }
	cluster := make([]reptask.Neighbour, 2)
	job := reptask.Owned{Job: reptask.Job{Owner: id(0), Number: 1}, Candidates: []protocol.NodeID{id(1)}}
	tests := []struct {
		name   string
		size   uint32
		before *reptask.State // the candidate, when the owner takes the job,
		after  *reptask.State // and afterwards
		lives  bool
		could  bool
	}{
		{"large enough", 2, &reptask.State{Cluster: cluster}, &reptask.State{Cluster: cluster}, true, true},
		{"too small", 3, &reptask.State{Cluster: cluster}, &reptask.State{Cluster: cluster}, true, false},
		{"larger than there are nodes", 9, &reptask.State{Cluster: cluster}, &reptask.State{Cluster: cluster}, true, false},
		{
			"too small in the beginning",
			2,
			&reptask.State{Cluster: cluster[:1]},
			&reptask.State{Cluster: cluster},
			true,
			false,
		},
		{"too small afterwards", 2, &reptask.State{Cluster: cluster}, &reptask.State{Cluster: cluster[:1]}, true, false},
		{"wants to leave", 2, &reptask.State{Cluster: cluster}, &reptask.State{Cluster: cluster, Leaving: true}, true, false},
		{"failed", 2, &reptask.State{Cluster: cluster}, nil, false, false},
	}
	for _, test := range tests {
		r, o := newAvailability(3), job
		o.Spec.Size = test.size
		r.step(1, 1, test.before)
		r.step(5, 0, &reptask.State{Owned: []reptask.Owned{o}})
		r.step(9, 1, test.after)
		o.State, o.Candidates = reptask.JobFailed, nil
		r.step(10, 0, &reptask.State{Owned: []reptask.Owned{o}})
		_, could := r.couldHave(&o, func(protocol.NodeID) bool { return test.lives })
		assert.Equal(t, test.could, could, test.name)
	}
}

// A node that wants to leave and keeps its vote is seen.
func TestKeptVoteIsFound(t *testing.T) {
	w := Scenarios()[0]
	r, err := newRun(w.Draw(1), sim.RunOptions{}, false)
	assert.NoError(t, err)
	s := r.State(0)
	s.Leaving, s.Tasks = true, []reptask.Task{{State: reptask.TaskReady}}
	r.oracle.checkPromises(0, nil)
	property, _ := r.oracle.Broken()
	assert.Equal(t, "Recalls", property)
}
