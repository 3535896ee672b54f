package node

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// auditEvery is how often a daemon looks whether nodes that hold its jobs have begun another life.
const auditEvery = time.Second

// audit goes on with jobs whose hosts or owners were restarted, and with those of a former life of
// this daemon. A node ends what its former life has left before it begins another one.
func (n *Node) audit() {
	for _, r := range n.table.Live() {
		open := r.Open()
		switch {
		case r.State.Final():
		case r.Spec.Array != nil:
			n.admitElements(r)
		case open != nil:
			for _, host := range open.Hosts {
				if r.Open() != open {
					break // the hosts before were the last ones
				}
				if n.dead(host) {
					n.hostGone(r, host)
				} else {
					n.suspect(host)
				}
			}
		case r.Owner.IsNobody() && r.Life != n.self, n.dead(r.Owner):
			n.submit(r)
		case !r.Owner.IsNobody():
			n.suspect(r.Owner)
		}
	}
	n.tidy()
	n.after(auditEvery, n.audit)
}

// bereaved lets the jobs go on that wait for a node that has died, or that may have been lost with
// it on their way to an owner.
func (n *Node) bereaved(id protocol.NodeID) {
	for _, r := range n.table.Live() {
		switch open := r.Open(); {
		case r.State.Final() || r.Spec.Array != nil:
		case open != nil:
			if slices.Contains(open.Hosts, id) {
				n.hostGone(r, id)
			}
		case r.Owner == id, r.Owner.IsNobody() && r.Tries > 0 && n.waits[r.ID] == 0:
			n.submit(r)
		}
	}
}

// anew submits a job again whose attempt was lost with a node. Its owner would wait until the
// leases of the task layer have run out for certain. That the attempt is closed is certain already,
// and only one submission has the permit.
func (n *Node) anew(r *jobs.Record) {
	if !r.Owner.IsNobody() && !n.dead(r.Owner) {
		n.ask(r.Owner, "cancel", r.Ticket, time.Minute, nil, func(json.RawMessage, error) {})
	}
	n.submit(r)
}

// resume goes on with the times of jobs that a former life has taken.
func (n *Node) resume() {
	for _, r := range n.table.Live() {
		n.watchDeadline(r)
		if r.Open() != nil {
			n.watchTimeout(r)
		}
	}
}

// hostGone notes that a host of the open attempt of a job runs nothing of it any more.
func (n *Node) hostGone(r *jobs.Record, host protocol.NodeID) {
	open := r.Open()
	gone := n.gone[r.ID]
	if !slices.Contains(gone, host) {
		gone = append(gone, host)
	}
	n.gone[r.ID] = gone
	if slices.ContainsFunc(open.Hosts, func(h protocol.NodeID) bool { return !slices.Contains(gone, h) }) {
		return
	}
	delete(n.gone, r.ID)
	lost := slices.ContainsFunc(open.Hosts, n.dead)
	n.keep(n.table.Close(r, open.By, open.Epoch, "the grid gave the attempt up"))
	switch {
	case r.State.Final():
	case lost:
		n.anew(r)
	case r.Owner.IsNobody():
		n.submit(r) // its owner has cancelled it while it was held
	case r.Wish != "":
		n.revoke(r)
	}
}

// keep ends the daemon if a record could not be kept.
func (n *Node) keep(err error) {
	if err != nil {
		n.fail(err)
	}
}
