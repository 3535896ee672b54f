package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// relink keeps a link to each neighbour in the tree.
func (n *node) relink() {
	if n.cfg.AggregateLimit == 0 {
		return
	}
	var links []Link
	for _, id := range n.neighbours() {
		l := Link{Peer: id}
		if i, known := n.link(id); known {
			l = n.Links[i]
		}
		links = append(links, l)
	}
	n.Links = links
}

// aggregate reports to each neighbour which hosts are nearest to it on this side of the tree, if
// that has changed or was not acknowledged.
func (n *node) aggregate() {
	for i := range n.Links {
		l := &n.Links[i]
		if set := n.side(l.Peer); !slices.EqualFunc(set, l.Sent, slices.Equal[Label]) {
			l.Sent, l.Acked = set, false
			l.SentVersion++
		}
		if !l.Acked {
			n.send(l.Peer, Aggregate{Version: l.SentVersion, Labels: l.Sent})
		}
	}
}

// side returns the hosts nearest a neighbour among this node and the hosts that the other
// neighbours have reported.
func (n *node) side(neighbour protocol.NodeID) []Label {
	own := n.Label()
	to := n.Above
	if i, child := n.branch(neighbour); child {
		b := n.Branches[i]
		to = append(Label{{Host: b.Host, At: b.At, Length: b.Length}}, own...)
	}
	sets := [][]Label{{own}}
	for _, l := range n.Links {
		if l.Peer != neighbour {
			sets = append(sets, l.Heard)
		}
	}
	return Nearest(to, n.cfg.AggregateLimit, sets...)
}

// onAggregate replaces what a neighbour has reported.
func (n *node) onAggregate(from protocol.NodeID, m Aggregate) {
	i, known := n.link(from)
	if !known || m.Version < n.Links[i].HeardVersion || len(m.Labels) > n.cfg.AggregateLimit {
		n.Ignore(from, "no neighbour, an old report, or one that is too long")
		return
	}
	n.Links[i].Heard, n.Links[i].HeardVersion = m.Labels, m.Version
	n.send(from, AggregateOK{Version: m.Version})
}

// onAggregateOK records that a neighbour has the latest report.
func (n *node) onAggregateOK(from protocol.NodeID, m AggregateOK) {
	i, known := n.link(from)
	if !known || m.Version != n.Links[i].SentVersion || n.Links[i].Acked {
		n.Ignore(from, "nothing to acknowledge")
		return
	}
	n.Links[i].Acked = true
}
