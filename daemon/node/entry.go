package node

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

const (
	ownPatience    = 5 * time.Second  // without an owner for so long, a job is submitted to the grid again
	acceptPatience = 3 * time.Second  // without an answer for so long, other custodians are chosen
	fewerPatience  = 12 * time.Second // and only then fewer: one that has died counts as dead before
	clientLimit    = 4096             // jobs of which an owner remembers where they came from
	backOffMin     = 100 * time.Millisecond
	backOffMax     = 5 * time.Second
)

// take takes a job of a user: it is acknowledged when its custodians have accepted it.
func (n *Node) take(spec jobs.Spec, key, by string) (*jobs.Record, error) {
	if !n.restored {
		return nil, fmt.Errorf("%w: %s", jobs.ErrBusy, n.mayNot())
	}
	r := &jobs.Record{ID: n.machine.JobID(), Key: key, Spec: spec, User: by}
	r.Custody, r.Custodians = n.nameJob(r), n.custodians(r.ID, nil)
	if err := n.table.Take(r); err != nil {
		return nil, err
	}
	n.accept(n.addKeeping(r, nil))
	return r, nil
}

// nameJob gives a job a name, and the elements of an array those that follow.
func (n *Node) nameJob(r *jobs.Record) jobs.Name {
	n.lastJob++
	name := jobs.Name{By: n.self, Number: n.lastJob}
	if r.Spec.Array != nil {
		n.lastJob += uint32(r.Spec.Array.Size())
	}
	return name
}

// custodians chooses who keeps a job: this node, and of the others those that a hash of the job
// ranks highest.
func (n *Node) custodians(id string, without []protocol.Address) []protocol.Address {
	var others []protocol.Address
	for _, life := range n.alive() {
		if !slices.Contains(without, life.Address) {
			others = append(others, life.Address)
		}
	}
	slices.SortFunc(others, func(a, b protocol.Address) int { return cmp.Compare(rank(id, b), rank(id, a)) })
	return append([]protocol.Address{n.self.Address}, others[:min(len(others), custody.Most-1)]...)
}

// rank is the hash that chooses custodians. The address comes first: what differs at the end of a
// text hardly changes the order of its hashes, and then few pairs of nodes would keep all jobs.
func rank(id string, a protocol.Address) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s", a, id)
	return h.Sum64()
}

// accept has the custodians of a new job take it. The elements of an array have its contents.
func (n *Node) accept(k *keeping) {
	wants := func() {
		n.mourn(k) // an element may be taken by an heir
		n.order(k, custody.Command{Kind: custody.CommandAccept, Limit: k.record.Limit()})
	}
	if len(k.record.Contents()) > 0 && k.record.Parent == "" {
		n.spread(k, func(without []protocol.Address) {
			if len(without) == 0 {
				wants()
			}
			k.crowded = append(k.crowded, without...) // others are chosen
		})
	} else {
		wants()
	}
	if k.record.Parent == "" {
		n.after(acceptPatience, func() { n.reconsider(k) })
	}
}

// reconsider chooses other custodians for a job if some have not answered. Fewer are chosen only
// after a while: with two of them the loss of one disk can be the loss of the job.
func (n *Node) reconsider(k *keeping) {
	if !n.takes(k) {
		return
	}
	s, _ := k.state()
	silent := slices.Concat(s.WaitsFor(), k.silent, k.crowded)
	custodians := n.custodians(k.record.ID, silent)
	if len(custodians) < len(k.record.Custodians) { // those of earlier choices may answer now
		silent = slices.Concat(s.WaitsFor(), k.crowded)
		custodians = n.custodians(k.record.ID, silent)
	}
	fewer := len(custodians) < len(k.record.Custodians)
	waits := fewer && n.clock()-k.seen < fewerPatience
	if waits || slices.Equal(custodians, k.record.Custodians) {
		n.after(acceptPatience, func() { n.reconsider(k) })
		return
	}
	n.chooseAgain(k, custodians, silent)
}

// replacesDead reports whether a custodian has died while the job is taken, and another one is
// there to take its place, which is done then. Two of three may take a job, but three outlive more.
func (n *Node) replacesDead(k *keeping) bool {
	if !n.takes(k) || !slices.ContainsFunc(k.record.Custodians, n.isGone) {
		return false
	}
	s, _ := k.state()
	for _, silent := range [][]protocol.Address{slices.Concat(s.WaitsFor(), k.silent, k.crowded), k.crowded} {
		custodians := n.custodians(k.record.ID, silent)
		if len(custodians) >= len(k.record.Custodians) {
			n.after(0, func() { // not all in this turn: each is written to the disk
				if n.takes(k) {
					n.chooseAgain(k, custodians, silent)
				}
			})
			return true
		}
	}
	return false
}

// isGone reports whether no life of a node is known that is not dead.
func (n *Node) isGone(a protocol.Address) bool {
	return a != n.self.Address &&
		!slices.ContainsFunc(n.alive(), func(life protocol.NodeID) bool { return life.Address == a })
}

// takes reports whether this daemon takes a job of which no custodian has a record. As long as that
// is so, none can come to have one but through this daemon. A copy with the stamp of a view is of a
// job that was taken before. An element has the custodians of its array.
func (n *Node) takes(k *keeping) bool {
	s, begun := k.state()
	r := k.record
	return n.keepings[k.id] == k && begun && s.Disk.View.Number == 0 && r.Stamp.View == 0 &&
		r.Parent == "" && r.Custodians[0] == n.self.Address
}

// chooseAgain gives a job that this daemon takes other custodians, under a new name.
func (n *Node) chooseAgain(k *keeping, custodians, silent []protocol.Address) {
	r := k.record
	n.log.Info("other custodians are chosen", "job", r.ID, "before", r.Custodians, "now", custodians)
	n.dropKeeping(k)
	n.table.Rename(r, n.nameJob(r), custodians)
	next := n.addKeeping(r, nil)
	next.silent, next.crowded = silent, k.crowded
	n.accept(next)
}
