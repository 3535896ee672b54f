package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// near is new information of the distributed tree metric space.
func (n *node) near(ids []protocol.NodeID) {
	h := &n.Head
	arrived := slices.ContainsFunc(ids, func(id protocol.NodeID) bool { return !slices.Contains(h.Near, id) })
	h.Near = slices.Clone(ids)
	switch h.Phase {
	case HeadIdle:
		h.Phase = HeadCollect
	case HeadSolicit, HeadFilter:
		h.Arrived = h.Arrived || arrived
	case HeadSteady:
		h.Arrived = arrived
		n.recollect()
	}
}

// recollect: "the head can react to new client arrivals observed since the head entered the SOLICIT
// state, and may cause the head to re-enter the COLLECT state if the head does not have a maximum
// size cluster".
func (n *node) recollect() {
	if h := &n.Head; h.Arrived && len(h.Cluster) < n.cfg.Size {
		h.Phase = HeadCollect
	}
}

// collected: "it considers the network stable. Then it runs the clustering algorithm and enters the
// SOLICIT state by sending solicitations to all clients in its discovered cluster". The information
// is the discovered cluster.
func (n *node) collected() {
	h := &n.Head
	h.Phase, h.Arrived, h.Pairs = HeadSolicit, false, nil
	h.Round++
	n.Event(EventRound, n.Self, h.Round, "")
	sought := h.Near
	if n.cfg.Readings.SolicitsSelf {
		sought = insert(sought, n.Self)
	}
	h.Replies = nil
	for _, id := range sought {
		h.Replies = append(h.Replies, Reply{Client: id})
		n.send(id, Message{Kind: Solicit, Sought: len(sought)})
	}
	n.heardAll()
}

// answered is an accept, a denial or a deferral of a client.
func (n *node) answered(client protocol.NodeID, k Kind) {
	r, ok := n.Head.reply(client)
	if n.Head.Phase != HeadSolicit || !ok {
		n.Ignore(client, "the head has no open solicitation")
		return
	}
	switch k {
	case Accept:
		r.Answer = Accepted
	case Reject:
		r.Answer = Denied
	case Defer:
		if r.Answer == Undef {
			r.Answer = Deferred
		}
		n.heardAll()
		return
	}
	n.updates()
	n.heardAll()
}

// updates: "as the head receives accept and deny messages from solicited clients, it sends updates
// to any clients which have not denied the solicitation".
func (n *node) updates() {
	h := &n.Head
	m := Message{Kind: Update, Sought: len(h.Replies), Denied: len(h.answered(Denied)), Members: h.answered(Accepted)}
	for _, r := range h.Replies {
		if r.Answer != Denied {
			n.send(r.Client, m)
		}
	}
}

// solicitAgain is the later time of a deferred solicitation.
func (n *node) solicitAgain(client protocol.NodeID) {
	r, _ := n.Head.reply(client)
	r.Answer = Undef
	n.send(client, Message{Kind: Solicit, Sought: len(n.Head.Replies)})
}

// heardAll: "once the head has heard either way from all clients, it enters the FILTER state".
func (n *node) heardAll() {
	h := &n.Head
	if len(h.answered(Undef))+len(h.answered(Deferred)) > 0 {
		return
	}
	h.Phase = HeadFilter
	if !n.cfg.Readings.SolicitsSelf { // else the node's client measures
		h.Awaited = h.answered(Accepted)
		n.Out.Measure = append(n.Out.Measure, h.Awaited...)
	}
	n.filter()
}

// reported takes the latency measurements that a client forwards.
func (n *node) reported(client protocol.NodeID, latencies []Latency) {
	r, ok := n.Head.reply(client)
	if open := n.Head.Phase == HeadSolicit || n.Head.Phase == HeadFilter; !open || !ok {
		n.Ignore(client, "the head wants no measurements")
		return
	}
	r.Reported = true
	for _, l := range latencies {
		n.Head.pair(Pair{From: client, To: l.Peer, Micros: l.Micros})
	}
	n.filter()
}

func (n *node) headMeasured(peer protocol.NodeID, micros uint32) {
	n.Head.Awaited = remove(n.Head.Awaited, peer)
	n.Head.pair(Pair{From: n.Self, To: peer, Micros: micros})
	n.filter()
}

// pair keeps the latest measurement from one node to another.
func (h *Head) pair(p Pair) {
	i, has := slices.BinarySearchFunc(h.Pairs, p, func(a, b Pair) int {
		if c := a.From.Compare(b.From); c != 0 {
			return c
		}
		return a.To.Compare(b.To)
	})
	if has {
		h.Pairs[i] = p
		return
	}
	h.Pairs = slices.Insert(h.Pairs, i, p)
}

// filter is FILTER: it "waits until all accepted nodes have replied with their latency
// measurements. The head uses the filtering heuristic to find the largest clique that includes
// itself. This clique forms the job-ready cluster".
func (n *node) filter() {
	h := &n.Head
	if h.Phase != HeadFilter || len(h.Awaited) > 0 || !n.replied() {
		return
	}
	former := h.Cluster
	h.Cluster, h.Found, h.Phase = n.clique(), h.Round, HeadSteady
	n.Event(EventSteady, n.Self, h.Round, "")
	n.notify(former)
	n.recollect()
}

// replied reports whether all accepted nodes have sent what the head waits for.
func (n *node) replied() bool {
	accepted := n.Head.answered(Accepted)
	for _, id := range accepted {
		if r, _ := n.Head.reply(id); !r.Reported {
			return false
		}
	}
	if !n.cfg.Readings.WaitsForPairs {
		return true
	}
	all := accepted
	if !n.cfg.Readings.SolicitsSelf { // else the head measures as a client, if that has accepted
		all = insert(accepted, n.Self)
	}
	for _, a := range all {
		for _, b := range all {
			if _, known := n.Head.between(a, b); a != b && !known {
				return false
			}
		}
	}
	return true
}

// between returns what was measured from one node to another.
func (h *Head) between(from, to protocol.NodeID) (uint32, bool) {
	for _, p := range h.Pairs {
		if p.From == from && p.To == to {
			return p.Micros, true
		}
	}
	return 0, false
}

// notify: "the head sends a final confirmation message to all clients in the job-ready cluster,
// denial messages to any clients outside the cluster".
func (n *node) notify(former []protocol.NodeID) {
	h := &n.Head
	outside := h.answered(Accepted)
	if n.cfg.Readings.TellsFormer {
		for _, id := range former {
			outside = insert(outside, id)
		}
	}
	for _, id := range h.Cluster {
		if id != n.Self || n.cfg.Readings.SolicitsSelf {
			n.send(id, Message{Kind: Confirm, Members: h.Cluster, Round: h.Round})
		}
		outside = remove(outside, id)
	}
	for _, id := range outside {
		n.send(id, Message{Kind: Deny})
	}
}
