package balance

import (
	"math"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
	"github.com/canvass-grid/canvass/protocol/space"
)

const (
	Every         = time.Second // how often a node looks for jobs that wait here
	balanceSample = 16          // nodes that are asked for their load at once
)

// Balancer moves jobs from this node to others.
type Balancer struct {
	*life.Runtime
	*config.Settings
	Alive func() []protocol.NodeID
	Takes func() bool // whether this node takes jobs

	waiting []reptask.Job // that are represented here and waited at the last look
}

// AnswerLoad reports the load of this node.
func (b *Balancer) AnswerLoad(protocol.NodeID, rpc.None) (rpc.NodeLoad, error) {
	s := b.Peer.State()
	own := rpc.NodeLoad{
		Takes:  b.Takes(),
		Length: s.Tasks.QueueLength(), Coordinate: s.Can.Self.Coord,
	}
	for _, q := range s.Tasks.Cluster {
		own.Cluster = append(own.Cluster, q.ID)
	}
	return own, nil
}

// Look moves jobs that this node represents, and that have waited since the last look, to nodes
// where they can run at once: reptask.DLB says which. Other nodes are asked for their load only if
// there are such jobs. QB is not used: a job moves once, and where the queue is shorter it may wait
// longer, behind a single long job.
func (b *Balancer) Look() {
	idle := b.represented()
	waited := slices.ContainsFunc(idle, func(j reptask.Idle) bool { return slices.Contains(b.waiting, j.Job) })
	if waited {
		before := b.waiting
		b.askLoads(func(l *loads) { b.relocate(before, l) })
	}
	b.waiting = b.waiting[:0:0]
	for _, j := range idle {
		b.waiting = append(b.waiting, j.Job)
	}
	b.After(Every, b.Look)
}

// represented returns the jobs that this node represents and that may move.
func (b *Balancer) represented() []reptask.Idle {
	s := b.Peer.State()
	return s.Tasks.Idle(&b.Cores.Tasks)
}

// relocate moves jobs that have waited.
func (b *Balancer) relocate(waited []reptask.Job, l *loads) {
	idle := slices.DeleteFunc(b.represented(), func(j reptask.Idle) bool { return !slices.Contains(waited, j.Job) })
	for _, m := range l.proposed(&b.Cores.Tasks, b.Self, idle) {
		b.Transfer(m)
	}
}

// Transfer moves a job: a parallel one after its target has received the queues. In the target's
// loop messages go before commands, so the job could overtake them, be given to busy nodes, and
// wait there, since it moves once.
func (b *Balancer) Transfer(m Move) {
	command := peer.Command{Kind: peer.CommandMove, Job: m.Job, Target: m.Target, By: m.By}
	if m.Queues == nil {
		b.Loop.Command(life.PeerID, command)
		return
	}
	rpc.Queues.Ask(b.Calls, rpc.Daemon(m.Target).Within(Every), m.Queues, func(_ rpc.None, err error) {
		if err == nil {
			b.Loop.Command(life.PeerID, command)
		}
	})
}

// AnswerQueues passes the queue lengths of other nodes to the cores, so that a parallel job that
// moves here is given to idle nodes first. The answer leaves after the turn in which the cores
// receive them.
func (b *Balancer) AnswerQueues(_ protocol.NodeID, queues []reptask.Queue) (rpc.None, error) {
	b.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandQueues, Queues: queues[:min(len(queues), balanceSample)]})
	return rpc.None{}, nil
}

// askLoads asks some nodes for their load.
func (b *Balancer) askLoads(done func(*loads)) {
	s := b.Peer.State()
	l := &loads{lengths: map[protocol.NodeID]uint32{b.Self: s.Tasks.QueueLength()}}
	nodes := b.someOf(b.Alive(), balanceSample)
	left := len(nodes)
	for _, id := range nodes {
		rpc.Load.Ask(b.Calls, rpc.Daemon(id).Within(Every), rpc.None{}, func(r rpc.NodeLoad, err error) {
			if err == nil {
				l.add(id, r)
			}
			if left--; left == 0 {
				done(l)
			}
		})
	}
}

// someOf draws some nodes.
func (b *Balancer) someOf(ids []protocol.NodeID, most int) []protocol.NodeID {
	most = min(most, len(ids))
	for i := range most {
		j := i + int(b.Machine.Between(0, uint32(len(ids)-i-1)))
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids[:most]
}

// loads are those of the nodes that have answered: a [reptask.View]. Silent nodes of a cluster
// count as busy.
type loads struct {
	sites    []reptask.Site
	clusters [][]protocol.NodeID
	lengths  map[protocol.NodeID]uint32
}

func (l *loads) add(id protocol.NodeID, r rpc.NodeLoad) {
	l.lengths[id] = r.Length
	if !r.Takes {
		return
	}
	l.sites = append(l.sites, reptask.Site{ID: id, Coordinate: r.Coordinate})
	l.clusters = append(l.clusters, r.Cluster)
}

// queuesWithout are the queues without the job's own dependents, by the nodes.
func (l *loads) queuesWithout(j *reptask.Idle) (all []reptask.Queue) {
	for id, length := range l.lengths {
		all = append(all, reptask.Queue{Node: id, Length: j.LengthWithout(reptask.Queue{Node: id, Length: length})})
	}
	slices.SortFunc(all, func(a, b reptask.Queue) int { return a.Node.Compare(b.Node) })
	return all
}

// Move is a move that DLB proposes. The target of a parallel job receives the queues.
type Move struct {
	reptask.Command
	Queues []reptask.Queue
}

// proposed returns the moves that DLB proposes, each as if those before it had been made.
func (l *loads) proposed(cfg *reptask.Config, self protocol.NodeID, idle []reptask.Idle) (all []Move) {
	for {
		c, ok := reptask.DLB(cfg, self, idle, l.sites, l)
		if !ok {
			return all
		}
		i := slices.IndexFunc(idle, func(j reptask.Idle) bool { return j.Job == c.Job })
		m := Move{Command: c}
		if idle[i].Size > 1 {
			m.Queues = l.queuesWithout(&idle[i])
		}
		all = append(all, m)
		l.take(c.Target, idle[i].Size)
		idle = slices.Delete(idle, i, i+1)
	}
}

// take counts a job that moves to a site.
func (l *loads) take(target protocol.NodeID, size uint32) {
	site := slices.IndexFunc(l.sites, func(s reptask.Site) bool { return s.ID == target })
	for _, id := range l.hosts(site, size) {
		if length, known := l.lengths[id]; known && size > 0 {
			l.lengths[id] = length + 1
			size--
		}
	}
}

// hosts are the nodes of a site where a job may run. A serial job runs at the site itself.
func (l *loads) hosts(site int, size uint32) []protocol.NodeID {
	if size == 1 {
		return []protocol.NodeID{l.sites[site].ID}
	}
	return l.clusters[site]
}

// Residue implements [reptask.View]: all of the site if enough nodes are free, or less than any job
// requires.
func (l *loads) Residue(site int, j *reptask.Idle) (none space.Point) {
	free := uint32(0)
	for _, id := range l.hosts(site, j.Size) {
		if length, known := l.lengths[id]; known && j.LengthWithout(reptask.Queue{Node: id, Length: length}) == 0 {
			free++
		}
	}
	if free >= j.Size {
		return l.sites[site].Coordinate
	}
	for k := range none {
		none[k] = -1
	}
	return none
}

// MaxQL implements [reptask.View]. DLB does not ask for it.
func (*loads) MaxQL(int, *reptask.Idle) uint32 { return math.MaxUint32 }
