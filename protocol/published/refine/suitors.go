package refine

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// algorithm3 is Algorithm 3, solicit(from, to, last), without its last lines, which are waited: to
// is this node.
func (n *node) algorithm3(from protocol.NodeID, sought int) {
	c := &n.Client
	if r, has := c.suitor(from); has && n.cfg.Readings.Once {
		r.Asked, r.Sought = true, sought
	} else {
		c.Suitors = append(c.Suitors, Suitor{Head: from, Asked: true, Sought: sought}) // to.suitors.append(from)
	}
	if len(c.Suitors) > n.cfg.Memberships { // if to.suitors.size > M then
		n.sort()                           // to.suitors.sort(criteria)
		end := c.Suitors[len(c.Suitors)-1] // suitors.end.delete
		c.Suitors = c.Suitors[:len(c.Suitors)-1]
		n.send(end.Head, Message{Kind: Reject}) // "this may include sending rejection messages to heads"
	}
}

// sort sorts the suitors by the criterion. "Once committed to a head, a client will not abandon
// that cluster": those come first.
func (n *node) sort() {
	slices.SortStableFunc(n.Client.Suitors, func(a, b Suitor) int {
		if a.Committed != b.Committed {
			return order(a.Committed)
		}
		switch n.cfg.Criterion {
		case Global:
			return cmp.Compare(a.Head.Hash(), b.Head.Hash())
		case Greedy:
			return cmp.Or(
				cmp.Compare(b.Sought-b.Denied, a.Sought-a.Denied),
				cmp.Compare(len(b.Members), len(a.Members)),
				cmp.Compare(a.Head.Hash(), b.Head.Hash()))
		}
		return 0
	})
}

func order(first bool) int {
	if first {
		return -1
	}
	return 1
}
