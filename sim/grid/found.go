package grid

import (
	"fmt"
	"math"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can/founders"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/refine"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

const (
	tickMicros = 10_000    // the unit of peer.DefaultConfig
	hopLimit   = 1 << 12   // as that of parallel.Grid.Place
	keepTicks  = 500       // between two signs of life in a cluster: five seconds
	far        = 1<<31 - 1 // the largest diameter of a cluster, in microseconds
)

// founding is the beginning of a run: the configuration of its nodes and the grid that they are in.
type founding struct{ *run }

// configure makes the configuration of the nodes. Its tables have room for all jobs.
func (f founding) configure() error {
	// Members are as near as a message takes. Each is in the clusters of all others, and for a while
	// in those of their earlier incarnations.
	diameter := uint32(min(2*f.options.LatencyMicros, far))
	f.config = peer.DefaultConfig(f.grid.Space(), min(4*f.widest, protocol.MaxItems), f.widest, diameter)
	f.config.Refine.CandidateLimit = min(4*f.widest, protocol.MaxItems-1)
	f.config.Refine.KeepTicks = keepTicks
	f.config.HopLimit, f.config.SeekLimit = hopLimit, min(len(f.grid.Nodes), protocol.MaxItems)
	f.config.Apart = f.options.Apart
	t := f.grid.Config(&f.options.Options)
	room := 4*len(f.jobs) + 64
	t.TaskLimit, t.RoleLimit, t.JobLimit, t.FloorLimit = room, room, room, room
	if !f.options.faulty() {
		// Nothing fails, so watching is not needed.
		t.BeatTicks, t.ResendTicks = math.MaxUint32/8, math.MaxUint32/8
		t.LeaseTicks, t.RegrantTicks = math.MaxUint32/4, math.MaxUint32
	}
	f.config.Tasks = t
	return f.config.Validate()
}

// found lets all nodes be members from the beginning, as if they had joined one after the other and
// found their clusters.
func (f founding) found() error {
	coordinate := func(i int) space.Point { return f.grid.Nodes[i].Coordinate }
	members := founders.New(&f.config.Can, len(f.grid.Nodes), coordinate)
	clusters := f.clusters()
	for i := range f.grid.Nodes {
		s, out := peer.Step(&f.config, peer.New(protocol.Address(i), f.grid.Nodes[i].Coordinate),
			peer.Input{Kind: protocol.Start})
		s.Can = members[i].State
		joinClusters(&s.Refine, clusters, i)
		cluster, _ := s.Refine.Advertised()
		if !slices.Equal(cluster.Members, clusters[i].members) {
			return fmt.Errorf("%w: node %d is in a larger cluster than the one that it advertises, of %d nodes; "+
				"nodes advertise the largest cluster that they are in", ErrOptions, i, len(clusters[i].members))
		}
		s.Tasks.Cluster = nil
		for _, id := range cluster.Members {
			s.Tasks.Cluster = append(s.Tasks.Cluster, reptask.Neighbour{ID: id})
		}
		f.Place(i, s, f.timers(&s, members[i].Timers), out.Persist)
	}
	return nil
}

// ready is a cluster that is ready when the grid is founded.
type ready struct {
	members []protocol.NodeID // sorted
	head    bool              // the node is the head of this cluster
	heads   []int             // other nodes whose clusters have this one as a member
}

// clusters lists the advertised clusters. Each node heads its own cluster. Where nothing
// fails, nodes that advertise one cluster share a head, the first of them: their states are small.
func (f founding) clusters() []ready {
	all := make([]ready, len(f.grid.Nodes))
	shared := map[*int32][]protocol.NodeID{} // by the first element of the list of addresses
	for i := range all {
		list := f.grid.Advertised(i)
		all[i].head = shared[&list[0]] == nil || f.options.faulty()
		if shared[&list[0]] == nil {
			ids := make([]protocol.NodeID, len(list))
			for k, node := range list {
				ids[k] = f.grid.Nodes[node].ID
			}
			shared[&list[0]] = ids
		}
		all[i].members = shared[&list[0]]
		for _, node := range list {
			if int(node) != i && all[i].head {
				all[node].heads = append(all[node].heads, i)
			}
		}
	}
	return all
}

// joinClusters makes a node the head of its cluster, if it is one, and a member of others.
func joinClusters(s *refine.State, clusters []ready, node int) {
	if clusters[node].head {
		s.Head, s.Round, s.ClusterRound = refine.HeadSteady, 1, 1
		for _, id := range clusters[node].members {
			if id != s.ID {
				s.Candidates = append(s.Candidates, refine.Candidate{ID: id, Status: refine.Member})
			}
		}
	}
	for _, head := range clusters[node].heads {
		s.Slots = append(s.Slots, refine.Slot{
			Head: protocol.NodeID{Address: protocol.Address(head), Incarnation: 1}, Stage: refine.Committed, Round: 1,
			ClusterRound: 1, Members: clusters[head].members,
		})
	}
}

// timers are the timers of a founder: none if nothing can fail, as all of them only watch.
func (f founding) timers(s *peer.State, ofMap []protocol.SetTimer) []protocol.SetTimer {
	if !f.options.faulty() {
		return nil
	}
	all := slices.Clone(ofMap) // those of the CAN have the same names at the node
	c := &f.config.Refine
	for _, t := range s.Refine.Timers(c) {
		// The first sign of life comes at any time within the period.
		set := protocol.SetTimer{Timer: peer.TimerOf(peer.RefineLayer, t), MinTicks: 1, MaxTicks: c.KeepTicks}
		if t.Kind == refine.MissedTimer {
			set.MinTicks, set.MaxTicks = c.KeepTicks*c.MissedKeeps, c.KeepTicks*c.MissedKeeps
		}
		all = append(all, set)
	}
	return all
}
