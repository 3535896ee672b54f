package parallel

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

// job is a job in a run. Jobs are numbered by age, the order of all queues.
type job struct {
	index       int // in the workload
	name        reptask.Job
	requirement space.Point
	size        int32
	hosts       int // that have a dependent task at a time, if the cluster is large enough
	runMicros   int64

	owner      int32
	candidates []int32 // the next one first
	refusals   int

	idle     bool // its representative waits for votes
	rep      int32
	epoch    uint32
	members  []int32 // hosts, ascending
	voted    []bool  // by member
	votes    int32
	finished int32
	moves    reptask.Moves
	target   int32
}

// id is the identity of a node.
func (e *engine) id(node int32) protocol.NodeID { return e.grid.Nodes[node].ID }

// member finds a host among the members of a job; -1 if it is none.
func (j *job) member(host int32) int {
	low, high := 0, len(j.members)
	for low < high {
		middle := (low + high) / 2
		if j.members[middle] < host {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(j.members) && j.members[low] == host {
		return low
	}
	return -1
}
