package muster

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// beRepresentative begins the role of the representative.
func (n *node) beRepresentative(c Command) {
	for i := 1; i < len(c.Hosts); i++ {
		if c.Hosts[i-1].Compare(c.Hosts[i]) >= 0 {
			n.Ignore(n.Self, "the hosts are not sorted")
			return
		}
	}
	if n.Rep.Phase != RepAbsent || len(c.Hosts) == 0 || len(c.Hosts) > n.cfg.HostLimit {
		n.Ignore(n.Self, "the node is a representative already, or the number of hosts is no good")
		return
	}
	n.Rep = Rep{Phase: RepGathering, HaltOnFailure: c.HaltOnFailure}
	for _, id := range c.Hosts {
		n.Rep.Members = append(n.Rep.Members, Member{Host: id})
	}
	if n.Host.Rep == n.Self { // it was a host first
		n.report()
	}
}

// rankOf returns the rank of a host, or -1.
func (n *node) rankOf(host protocol.NodeID) int {
	i, found := slices.BinarySearchFunc(n.Rep.Members, host, func(m Member, _ protocol.NodeID) int {
		return m.Host.Compare(host)
	})
	if !found {
		return -1
	}
	return i
}

// onHostMessage takes a message of the host of a rank. Messages may be duplicated, delayed and
// reordered.
func (n *node) onHostMessage(rank int, m Message) {
	member := &n.Rep.Members[rank]
	switch m.Kind {
	case Here:
		n.onHere(member, m.Ports)
	case Going:
		if member.State != MemberHere || n.Rep.Phase != RepStarted {
			n.Ignore(member.Host, "it was not waited for")
			return
		}
		member.State = MemberGoing
	case Exit:
		n.send(member.Host, Message{Kind: Noted})
		if member.State < MemberEnded {
			n.onEnded(rank, m.Status)
		}
	case Closed:
		n.onClosed(member)
	}
}

// onHere notes that a host may start. All of them together need the permit.
func (n *node) onHere(member *Member, ports []uint16) {
	switch {
	case member.State >= MemberEnded:
		n.Ignore(member.Host, "the task has ended there")
		return
	case n.Rep.Reason != 0:
		n.send(member.Host, Message{Kind: Halt, Reason: n.Rep.Reason})
		return
	case member.State != MemberAwaited:
		n.Ignore(member.Host, "it is known to be here")
		return
	}
	member.State, member.Ports = MemberHere, ports
	if n.Rep.all(MemberHere) {
		n.Rep.Phase = RepAsking
		n.Event(EventPermit, protocol.NodeID{}, uint32(len(n.Rep.Members)), "")
	}
}

// onPermit starts the task at all hosts, or at none.
func (n *node) onPermit(granted bool) {
	switch {
	case n.Rep.Phase != RepAsking:
		n.Ignore(n.Self, "no permit is waited for")
	case !granted:
		n.haltRest(Refused)
	default:
		n.Rep.Phase = RepStarted
		n.Event(EventGranted, protocol.NodeID{}, 0, "")
		n.ask()
	}
}

// ask sends each host what it has to answer.
func (n *node) ask() {
	for i, m := range n.Rep.Members {
		if request, open := n.Rep.asks(i); open {
			n.send(m.Host, request)
		}
	}
}

// haltAll halts the hosts because the driver wants it.
func (n *node) haltAll(why Reason) {
	if why < Cancelled || why > Leaving || n.Rep.Phase == RepAbsent || n.Rep.Phase >= RepDepositing || n.Rep.Reason != 0 {
		n.Ignore(n.Self, "nothing is to be halted, or it is halted already")
		return
	}
	n.haltRest(why)
}

// haltRest halts all hosts that have not ended. Before Go was sent nothing starts any more.
func (n *node) haltRest(why Reason) {
	n.Rep.Reason = why
	if n.Rep.Phase < RepStarted {
		n.Rep.Phase = RepCalledOff
	}
	n.Event(EventHalting, protocol.NodeID{}, 0, why.String())
	n.ask()
}

// onEnded notes the status of a rank, once. A task that ends before Go was sent calls all of them
// off. A lost one always halts the others, since the attempt comes to nothing without it; the first
// failure does if the job wants that.
func (n *node) onEnded(rank int, status Status) {
	r := &n.Rep
	member := &r.Members[rank]
	member.State, member.Status = MemberEnded, status
	n.Event(EventStatus, member.Host, uint32(rank), status.Cause.String())
	switch {
	case r.Reason == 0 && status.Cause == Lost:
		n.haltRest(TaskLost)
	case r.Phase < RepStarted:
		n.haltRest(NoStart)
	}
	switch {
	case r.all(MemberEnded):
		r.Phase = RepDepositing
		n.Event(EventOutcome, protocol.NodeID{}, uint32(len(r.Members)), "")
	case r.Reason == 0 && status.Failed() && r.HaltOnFailure:
		n.haltRest(Failure)
	}
}

// onDeposited lets the hosts finish.
func (n *node) onDeposited() {
	if n.Rep.Phase != RepDepositing {
		n.Ignore(n.Self, "no outcome is deposited")
		return
	}
	n.Rep.Phase = RepFinishing
	n.ask()
}

// onClosed records a host's acknowledgement that the outcome is safe.
func (n *node) onClosed(member *Member) {
	if n.Rep.Phase != RepFinishing || member.State != MemberEnded {
		n.Ignore(member.Host, "it was not waited for")
		return
	}
	member.State = MemberClosed
	if n.Rep.all(MemberClosed) {
		n.Rep.Phase = RepClosed
		n.Event(EventClosed, protocol.NodeID{}, 0, "")
	}
}
