package grid

import (
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// news has the queue lengths of other nodes at the last report. All nodes report at once; without a
// period of news, a node reports after each of its steps.
type news struct {
	known   []uint32 // queue lengths, by node
	reports int64
	last    int64   // report in which a length differed from the one before
	changed []int64 // in which report a node began or ceased to be free
	told    []int64 // the last report that a node has taken in
}

func newNews(nodes int) news {
	return news{known: make([]uint32, nodes), changed: make([]int64, nodes), told: make([]int64, nodes)}
}

// report makes the present queue lengths known.
func (r *run) report() {
	r.news.reports++
	for i := range r.news.known {
		r.news.note(i, r.length(i))
	}
}

// reportAtOnce makes the present queue length of a node known, if it is another than before.
func (r *run) reportAtOnce(node int) {
	if length := r.length(node); length != r.news.known[node] {
		r.news.reports++
		r.news.note(node, length)
	}
}

// length is the queue length of a node: the number of its runnable tasks.
func (r *run) length(node int) uint32 {
	if !r.Live(node) {
		return 0
	}
	return r.State(node).Tasks.QueueLength()
}

// note takes the queue length of a node into the present report.
func (n *news) note(node int, length uint32) {
	if (length == 0) != (n.known[node] == 0) {
		n.changed[node] = n.reports
	}
	if n.known[node] != length {
		n.known[node], n.last = length, n.reports
	}
}

// queues returns the queue lengths of the members of a node's cluster that began or ceased to be
// free, as reports say since the last step of the node. A representative asks for no more.
func (n *news) queues(s *peer.State) (all []reptask.Queue) {
	at := s.ID().Address
	since := n.told[at]
	if n.told[at] = n.reports; since == n.reports {
		return nil
	}
	for i := range s.Tasks.Cluster {
		if id := s.Tasks.Cluster[i].ID; n.changed[id.Address] > since {
			all = append(all, reptask.Queue{Node: id, Length: n.known[id.Address]})
		}
	}
	return all
}

// clusterLoad sums up a cluster as its members have reported it.
type clusterLoad struct {
	report  int64 // the report that it is from
	members int   // of the cluster then
	free    int
	single  int // nodes with one task
	longest uint32
}

// load returns the load of the cluster that a node advertises.
func (r *run) load(node int) *clusterLoad {
	l, cluster := &r.loads[node], r.State(node).Tasks.Cluster
	if l.report == r.news.reports && l.members == len(cluster) {
		return l
	}
	*l = clusterLoad{report: r.news.reports, members: len(cluster)}
	for i := range cluster {
		length := r.news.known[cluster[i].ID.Address]
		switch length {
		case 0:
			l.free++
		case 1:
			l.single++
		}
		l.longest = max(l.longest, length)
	}
	return l
}
