package balance

import (
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Proposed are the moves of jobs that wait at a node, which is in a cluster, if the queues of the
// nodes that have answered are so long.
func Proposed(
	cfg *reptask.Config, self protocol.NodeID, idle []reptask.Idle,
	cluster []protocol.NodeID, lengths map[protocol.NodeID]uint32,
) []Move {
	l := &loads{lengths: map[protocol.NodeID]uint32{self: lengths[self]}}
	for _, id := range cluster {
		if length, answered := lengths[id]; answered && id != self {
			l.add(id, rpc.NodeLoad{Takes: true, Length: length, Cluster: cluster})
		}
	}
	return l.proposed(cfg, self, idle)
}
