package store

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// onRequest decides an attempt of another node's client.
func (n *node) onRequest(from protocol.NodeID, m Request) {
	if m.Operation.Kind > Lookup || !n.cfg.CAN.Space.Whole().Contains(m.Operation.Key) {
		n.Ignore(from, "senseless request")
		return
	}
	r, ok := n.serve(from, m)
	if !ok {
		n.Ignore(from, "not to be decided now")
		return
	}
	if r.Verdict == Refused {
		n.Event(EventRefused, from, r.ID, "")
		r.Hint = n.hint(m.Operation.Key)
	}
	n.send(from, r)
}

// serve decides an attempt, once: copies of it get the same answer. It does not decide requests for
// items that have not arrived yet.
func (n *node) serve(client protocol.NodeID, m Request) (Reply, bool) {
	op := m.Operation
	r := Reply{ID: op.ID, Attempt: m.Attempt}
	if d := n.decision(client, op.ID); d != nil && op.Kind.changes() {
		if m.Attempt < d.Attempt {
			return r, false
		}
		if d.Verdict != Refused || m.Attempt == d.Attempt {
			r.Verdict, r.Value = d.Verdict, d.Value
			return r, true
		}
	}
	switch {
	case !n.Owns(op.Key):
		r.Verdict = Refused
	case op.Kind == Lookup:
		r.Verdict = Served
	case !n.Serves(op.Key):
		return r, false
	case op.Kind.changes() && !n.mayVouch(m.Tried):
		r.Verdict = Unknown
	default:
		r.Verdict, r.Value = n.execute(op)
	}
	if r.Verdict == Served || r.Verdict == Mismatch {
		n.Event(EventServed, client, op.ID, op.Kind.String())
	}
	if op.Kind.changes() && client != n.ID() { // its own operations end with this
		n.decide(Decision{Client: client, ID: op.ID, Attempt: m.Attempt, Verdict: r.Verdict, Value: r.Value})
	}
	return r, true
}

// mayVouch reports whether this node would know if one of the nodes had executed a request.
func (n *node) mayVouch(tried []protocol.NodeID) bool {
	for _, id := range tried {
		if id != n.ID() && !slices.Contains(n.Left, id) {
			return false
		}
	}
	return true
}

// execute carries an operation out on the node's own items.
func (n *node) execute(op Operation) (Verdict, uint32) {
	present := n.Value(op.Key)
	switch {
	case op.Kind == Get:
		return Served, present
	case op.Kind == CompareAndSet && present != op.Expect:
		return Mismatch, present
	case present == 0 && op.Value != 0 && len(n.Items) >= n.cfg.ItemLimit:
		return Full, 0
	}
	n.Items = setItem(n.Items, op.Key, op.Value)
	return Served, 0
}

// decision returns the decision on a request, or nil.
func (n *node) decision(client protocol.NodeID, id uint32) *Decision {
	for i := range n.Decided {
		if d := &n.Decided[i]; d.Client == client && d.ID == id {
			return d
		}
	}
	return nil
}

// decide remembers a decision. It replaces an earlier one on the same request. The oldest decision
// is forgotten when there are too many.
func (n *node) decide(d Decision) {
	n.Decided = slices.DeleteFunc(n.Decided, func(e Decision) bool { return e.Client == d.Client && e.ID == d.ID })
	n.Decided = append(n.Decided, d)
	n.Decided = n.Decided[max(0, len(n.Decided)-n.cfg.DecidedLimit):]
}
