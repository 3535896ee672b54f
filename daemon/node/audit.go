package node

import (
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

const (
	// auditEvery is how often a daemon looks whether nodes that its jobs need have died.
	auditEvery = time.Second

	// blankAge is how long a custodian waits for the record of a job that it was asked to keep.
	blankAge = 10 * time.Minute
)

// audit goes on with jobs whose custodians, hosts or owners have died. The witnesses are asked
// about those of which nothing is known.
func (n *Node) audit() {
	n.fitness.look()
	if n.restored {
		for _, r := range n.table.Live() {
			if k := n.keepingOf(r); !n.isBlank(k) {
				n.inspect(k)
			}
		}
		restless := n.restless()
		n.counts.restless = len(restless)
		for _, k := range restless {
			n.inspectCustodians(k)
		}
		n.tidy()
		n.nextTurns()
	}
	n.after(auditEvery, n.audit)
}

// restless returns the keepings of jobs that have ended, and about which this node still asks other
// custodians, the oldest first. It asks one that was lost until it knows that.
func (n *Node) restless() (all []*keeping) {
	for _, k := range n.keepings {
		if s, begun := k.state(); begun && k.record.State.Final() && len(s.Timers()) > 0 {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b *keeping) int { return jobs.Older(a.record, b.record) })
	return all
}

// isBlank reports whether a job was dropped that the daemon which takes it has not accepted for
// long: that daemon has not come back, or does not answer.
func (n *Node) isBlank(k *keeping) bool {
	if !n.waitsForRecord(k) {
		return false
	}
	if n.clock()-k.seen > blankAge {
		n.dropBlank(k)
		return true
	}
	n.askTaker(k)
	return false
}

// waitsForRecord reports whether this custodian was asked to keep a job that another one takes, and
// has no record of it yet.
func (n *Node) waitsForRecord(k *keeping) bool {
	s, begun := k.state()
	return begun && s.Disk.View.Number == 0 && s.Custodians[0] != n.self.Address && s.Wanted == 0
}

func (n *Node) dropBlank(k *keeping) {
	n.dropKeeping(k)
	n.table.Remove(k.record)
}

// takesEvery is how often the daemon that takes a job is asked whether it still does.
const takesEvery = 5 * time.Second

// askTaker asks the daemon that takes a job whether it still does. A later life of it has dropped
// the job if nothing of it was decided, and may never send word of that: this custodian can have
// its copy from another one. Only the daemon that has given the name can know.
func (n *Node) askTaker(k *keeping) {
	r := k.record
	if n.clock() < k.askedTaker+takesEvery || r.Parent != "" {
		return
	}
	k.askedTaker = n.clock()
	same := func() bool { return n.keepings[k.id] == k && n.waitsForRecord(k) }
	taker := protocol.NodeID{Address: r.Custody.By.Address}
	rpc.Takes.Ask(n.calls, rpc.Daemon(taker).Within(takesEvery).While(same), r.Custody, func(takes bool, err error) {
		if err == nil && !takes && same() {
			n.log.Info("a job is dropped that nobody keeps", "job", r.ID, "taken by", taker.String())
			n.dropBlank(k)
		}
	})
}

// answerTakes says whether this daemon has a job that it has given this name.
func (n *Node) answerTakes(_ protocol.NodeID, name jobs.Name) (bool, error) {
	if !n.restored {
		return false, rpc.ErrLater
	}
	return n.table.Named(name) != nil, nil
}

func (n *Node) inspect(k *keeping) {
	if !n.inspectCustodians(k) {
		return
	}
	r := k.record
	switch open := r.Open(); {
	case r.Spec.Array != nil:
	case open != nil:
		for _, host := range open.Hosts {
			if !n.dead(host) {
				n.suspect(host)
			}
		}
		n.askHosts(k)
	case r.Owner.IsNobody():
	case n.dead(r.Owner):
		n.submit(k)
	default:
		n.suspect(r.Owner)
		n.askOwner(k)
	}
}

// inspectCustodians asks about the other custodians for which this one waits. It reports whether
// this one decides about the job.
func (n *Node) inspectCustodians(k *keeping) (leads bool) {
	s, begun := k.state()
	if !begun {
		return false
	}
	n.press(k)
	if !s.Leads() {
		n.suspectCustodians(&s)
		return false
	}
	for i, id := range s.Disk.View.Members {
		if i >= len(s.Primary.Acked) || !s.Primary.Acked[i] {
			n.suspect(id)
		}
	}
	return true
}

// suspectCustodians asks about the custodian that leads, and about those for which it waits. Only
// lives are suspected that have had a lease: those that speak as custodians, or that a witness
// knows.
func (n *Node) suspectCustodians(s *custody.State) {
	awaited := append(s.WaitsFor(), s.Leader().Address)
	for i, a := range s.Custodians {
		life := protocol.NodeID{Address: a, Incarnation: max(s.Lives[i].Known, n.noted[a])}
		switch {
		case a == n.self.Address || !slices.Contains(awaited, a):
		case life.Incarnation == 0, n.dead(life):
			n.inquire(a) // a later life may have had a lease, and have been lost
		default:
			n.suspect(life)
		}
	}
}

// inquire asks the witnesses which life of a node was the latest: one that was lost before this
// life of this node heard of it would be awaited forever.
func (n *Node) inquire(a protocol.Address) {
	unknown := protocol.NodeID{Address: a}
	if !n.mayAsk(unknown) {
		return
	}
	for _, w := range n.config.Grid.Witnesses {
		witness := protocol.NodeID{Address: w}
		rpc.Life.Ask(n.calls, rpc.Daemon(witness).Within(askAgain), a, func(life uint16, err error) {
			if err == nil {
				n.noted[a] = max(n.noted[a], life)
			}
		})
	}
}

// answerLife says which life of a node is the latest to which this witness has granted a lease, or
// that it has condemned.
func (n *Node) answerLife(_ protocol.NodeID, a protocol.Address) (uint16, error) {
	for _, l := range n.lease.State().Witness.Lives {
		if l.Address == a {
			return max(l.Incarnation, l.Condemned), nil
		}
	}
	return 0, nil
}

// bereaved lets the jobs go on that wait for a node that has died, or that may have been lost with
// it on their way to an owner.
func (n *Node) bereaved(id protocol.NodeID) {
	if !n.restored {
		return
	}
	for _, r := range n.table.Live() {
		k := n.keepingOf(r)
		n.press(k)
		if k.leads() && k.ticket != 0 && r.Open() == nil && n.mayBeLost(r, id) {
			n.submit(k)
		}
	}
}

// mayBeLost reports whether a job that waits may have been lost with a node.
func (n *Node) mayBeLost(r *jobs.Record, id protocol.NodeID) bool {
	return r.Owner == id || r.Owner.IsNobody() && n.waits[r.ID] == 0
}
