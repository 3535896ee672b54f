package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
)

// begin starts an operation of a client of this node.
func (n *node) begin(op Operation) {
	n.Event(EventCalled, n.ID(), op.ID, op.Kind.String())
	i, found := n.pending(op.ID)
	reason := ""
	switch {
	case n.CAN.Phase != can.Member:
		reason = DetailNoMember
	case op.Kind > Lookup || !n.cfg.CAN.Space.Whole().Contains(op.Key):
		reason = DetailOutside
	case found:
		reason = DetailTwice
	case len(n.Pending) >= n.cfg.OpLimit:
		reason = DetailMany
	}
	if reason != "" {
		n.Event(EventRejected, n.ID(), op.ID, reason)
		return
	}
	n.Pending = slices.Insert(n.Pending, i, Pending{Operation: op})
	n.pursue(op.ID)
}

// pending finds an unanswered operation.
func (s *State) pending(id uint32) (int, bool) {
	return slices.BinarySearchFunc(s.Pending, id, func(p Pending, id uint32) int {
		return int(int64(p.Operation.ID) - int64(id))
	})
}

// pursue makes the next attempt at an operation that has no attempt under way: on this node's own
// items, or at the node nearest to the key.
func (n *node) pursue(id uint32) {
	i, _ := n.pending(id)
	p := &n.Pending[i]
	if n.Owns(p.Operation.Key) {
		m := Request{Operation: p.Operation, Attempt: p.Attempt + 1, Tried: p.Tried}
		if r, ok := n.serve(n.ID(), m); ok {
			n.finish(i, n.ID(), r)
		}
		return
	}
	n.ask(p, n.hint(p.Operation.Key))
}

// serveOwn pursues the operations that wait for items of this node.
func (n *node) serveOwn() {
	for _, p := range slices.Clone(n.Pending) {
		if p.Target.IsNobody() && n.Owns(p.Operation.Key) {
			n.pursue(p.Operation.ID)
		}
	}
}

// ask makes an attempt at another node, if there is one.
func (n *node) ask(p *Pending, target protocol.NodeID) {
	if p.Target = target; target.IsNobody() {
		return
	}
	p.Attempt++
	n.sendRequest(*p)
}

func (n *node) sendRequest(p Pending) {
	n.send(p.Target, Request{Operation: p.Operation, Attempt: p.Attempt, Tried: p.Tried})
}

// onReply handles the answer to the present attempt. After a refusal the next attempt may follow
// the hint at once.
func (n *node) onReply(from protocol.NodeID, m Reply) {
	i, ok := n.pending(m.ID)
	if !ok || n.Pending[i].Target != from || n.Pending[i].Attempt != m.Attempt {
		n.Ignore(from, "no such attempt")
		return
	}
	if m.Verdict != Refused {
		n.finish(i, from, m)
		return
	}
	p := &n.Pending[i]
	p.Target = protocol.NodeID{}
	switch {
	case n.Owns(p.Operation.Key):
		n.pursue(m.ID)
	case p.Redirects < n.cfg.RedirectLimit && m.Hint != n.ID():
		p.Redirects++
		n.ask(p, m.Hint)
	}
}

// onRetry resends unanswered requests, and makes attempts at operations that wait. It asks another
// node only for operations that change nothing: while one attempt may still be executed, there must
// be no other.
func (n *node) onRetry() {
	for _, p := range slices.Clone(n.Pending) {
		i, _ := n.pending(p.Operation.ID)
		n.Pending[i].Redirects = 0
		if p.Target.IsNobody() || !p.Operation.Kind.changes() {
			n.Pending[i].Target = protocol.NodeID{}
			n.pursue(p.Operation.ID)
			continue
		}
		n.sendRequest(p)
	}
}

// orphan notes that a node failed with an unanswered attempt. It may have executed the operation,
// so the next attempt lists it.
func (n *node) orphan(p *Pending) {
	i, found := slices.BinarySearchFunc(p.Tried, p.Target, protocol.NodeID.Compare)
	if !found && p.Operation.Kind.changes() {
		p.Tried = slices.Insert(slices.Clone(p.Tried), i, p.Target)
	}
	p.Target = protocol.NodeID{}
}

// finish ends an operation with the verdict on its last attempt.
func (n *node) finish(i int, by protocol.NodeID, r Reply) {
	op := n.Pending[i].Operation
	n.Pending = slices.Delete(n.Pending, i, i+1)
	switch r.Verdict {
	case Unknown:
		n.Event(EventUnknown, by, op.ID, "")
		return
	case Full:
		n.Event(EventRejected, by, op.ID, DetailFull)
		return
	case Mismatch:
		n.Event(EventAnswered, by, op.ID, DetailMismatch)
	default:
		n.Event(EventAnswered, by, op.ID, DetailOK)
	}
	if op.Kind == Get || r.Verdict == Mismatch {
		n.Event(EventValue, by, r.Value, "")
	}
}

// giveUpPending ends operations that cannot go on: those whose attempts failed with too many nodes
// and, at a node that is no member any more, operations without an attempt under way.
func (n *node) giveUpPending() {
	var kept []Pending
	for _, p := range n.Pending {
		stranded := n.CAN.Phase != can.Member && p.Target.IsNobody()
		switch {
		case len(p.Tried) > n.cfg.TriedLimit || stranded && len(p.Tried) > 0:
			n.Event(EventUnknown, p.Tried[0], p.Operation.ID, "")
		case stranded:
			n.Event(EventRejected, n.ID(), p.Operation.ID, DetailNoMember)
		default:
			kept = append(kept, p)
		}
	}
	n.Pending = kept
}
