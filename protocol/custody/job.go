package custody

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// onCommand takes a command. All but five need a primary whose last change all members have stored.
func (n *node) onCommand(c Command) {
	switch c.Kind {
	case CommandAccept:
		n.accept(c.Limit)
	case CommandDead:
		n.onDeath(c.Life)
	case CommandAcceptLoss:
		n.Loss = n.Disk.View.Number > 0 && n.Forming.Active
	case CommandForget, CommandForgotten:
		n.forget(c.Kind)
	case CommandPermit, CommandClosed, CommandOutcome, CommandCancel, CommandTryOver:
		if !n.Primary.Committed {
			n.redirect(c.Kind)
			return
		}
		n.decide(c)
	default:
		n.Ignore(n.Self, "no such command")
	}
}

// redirect answers a command that cannot be taken here, or not now.
func (n *node) redirect(kind CommandKind) {
	if n.Primary.Leads || n.isLeader() {
		n.Event(EventLater, protocol.NodeID{}, uint32(kind), "")
		return
	}
	n.Event(EventElsewhere, n.Leader(), uint32(kind), "")
}

// accept records that the job is wanted, or announces again that it is accepted. A custodian takes
// the job as an heir if it leads because all before it in the list have died.
func (n *node) accept(limit uint32) {
	switch {
	case limit == 0 || n.Custodians[0] != n.Self.Address && !n.isLeader():
		n.Ignore(n.Self, "a job is accepted at its first custodian or the heir of that one, with a limit")
	case n.Primary.Accepted:
		n.Event(EventAccepted, protocol.NodeID{}, 0, "")
	case n.Disk.View.Number == 0:
		n.Wanted = limit
	}
}

// forget ends the instance if every custodian's disk has the end of the job: then no custodian can
// run it again. If another one has forgotten it, that is the case. For the rest of this incarnation
// the instance ignores all messages, among which may be old copies.
func (n *node) forget(kind CommandKind) {
	d := &n.Disk
	told := kind == CommandForgotten && (d.Record.End != 0 || d.View.Number == 0)
	if !d.Record.Settled && !told {
		n.Event(EventLater, protocol.NodeID{}, uint32(kind), "")
		return
	}
	n.State = New(n.Self, n.Custodians)
	n.Over = true
	n.Out.Persist = []byte{}
	n.Event(EventForgotten, protocol.NodeID{}, 0, "")
}

// decide takes a command at the primary. It is answered when what it changes is committed, or now
// if it changes nothing.
func (n *node) decide(c Command) {
	switch c.Kind {
	case CommandPermit:
		n.permit(c)
	case CommandClosed:
		n.onClosed(c)
	case CommandOutcome:
		n.onOutcome(c)
	case CommandCancel:
		n.cancel(c.Requested)
	case CommandTryOver:
		if r := &n.Disk.Record; c.Try == r.Try && r.Attempt.IsNone() && r.End == 0 {
			r.Try++
			n.change()
		}
	}
}

// permit lets the first attempt of a try start. A try begins only when the attempt of the last one
// has ended at all its hosts, so at most one attempt runs.
func (n *node) permit(c Command) {
	r := &n.Disk.Record
	switch {
	case c.Attempt.IsNone() || !n.mayHost(c.Hosts):
		n.Ignore(n.Self, "an attempt without a name or hosts")
	case r.End != 0 || r.Requested != 0:
		n.refuse(c, "the job is to end")
	case c.Try != r.Try:
		n.refuse(c, "another try is on its way")
	case r.Attempt.IsNone():
		r.Attempt, r.Hosts = c.Attempt, c.Hosts
		r.Runs++
		n.change()
	case r.Attempt != c.Attempt:
		n.refuse(c, "another attempt of this try has the permit")
	default:
		n.Event(EventPermitted, c.Attempt.By, c.Attempt.Epoch, "")
	}
}

func (n *node) refuse(c Command, why string) {
	n.Event(EventRefused, c.Attempt.By, c.Attempt.Epoch, why)
}

// mayHost reports whether these can be the hosts of an attempt.
func (n *node) mayHost(hosts []protocol.NodeID) bool {
	for i, id := range hosts {
		if i > 0 && hosts[i-1].Compare(id) >= 0 {
			return false
		}
	}
	return len(hosts) > 0 && len(hosts) <= n.cfg.HostLimit
}

// onClosed notes that nothing of an attempt runs at a host. As long as the attempt may still get
// the permit, the host is to say so again: otherwise it would count as running from then on.
func (n *node) onClosed(c Command) {
	r := &n.Disk.Record
	switch {
	case r.End == 0 && c.Try == r.Try && r.Attempt.IsNone():
		n.Event(EventLater, protocol.NodeID{}, uint32(c.Kind), "")
	case r.Attempt == c.Attempt && c.Try == r.Try && slices.Contains(r.Hosts, c.Life):
		n.closeHosts(func(host protocol.NodeID) bool { return host == c.Life })
	default:
		n.Event(EventClosed, c.Life, c.Try, "")
	}
}

// closeHosts takes hosts from the open attempt. When all hosts are closed, the attempt has ended
// without an outcome: the job ends as wished, or is tried again.
func (n *node) closeHosts(gone func(protocol.NodeID) bool) {
	r := &n.Disk.Record
	if !slices.ContainsFunc(r.Hosts, gone) {
		return
	}
	r.Hosts = slices.DeleteFunc(slices.Clone(r.Hosts), gone)
	if len(r.Hosts) == 0 {
		r.Hosts, r.Attempt = nil, Attempt{}
		switch {
		case r.Requested != 0:
			r.End = r.Requested
		case r.Runs >= r.Limit:
			r.End = Exhausted
		default:
			r.Try++
		}
	}
	n.change()
}

// onOutcome ends the job with the outcome of the permitted attempt, of which nothing runs any more.
func (n *node) onOutcome(c Command) {
	r := &n.Disk.Record
	switch {
	case c.Outcome == "" || len(c.Outcome) > DigestLimit:
		n.Ignore(n.Self, "an outcome without a digest, or with a digest that is too long")
	case c.Attempt.IsNone() || c.Try != r.Try || r.Attempt != c.Attempt || r.End != 0 && r.Outcome != c.Outcome:
		n.refuse(c, "not the outcome of the permitted attempt")
	case r.End == 0:
		r.End, r.Outcome, r.Hosts = Done, c.Outcome, nil
		n.change()
	default:
		n.Event(EventEnded, protocol.NodeID{}, 0, r.End.String())
	}
}

// cancel makes the job end without another attempt.
func (n *node) cancel(wish End) {
	r := &n.Disk.Record
	switch {
	case wish < Cancelled || wish > Exhausted:
		n.Ignore(n.Self, "no such end")
	case r.End == 0 && r.Requested == 0:
		r.Requested = wish
		if r.Attempt.IsNone() {
			r.End = wish
		}
		n.change()
	case r.End != 0:
		n.Event(EventEnded, protocol.NodeID{}, 0, r.End.String())
	}
}

// change makes the record that was changed the latest one.
func (n *node) change() {
	n.Disk.Seq++
	n.replicate()
}

// commit announces what all members of the view have stored now.
func (n *node) commit() {
	p, now := &n.Primary, n.Disk.Record
	last := p.Record
	if !p.Leads {
		n.Event(EventLeads, protocol.NodeID{}, n.Disk.View.Number, "")
	}
	p.Leads, p.Committed, p.Record = true, true, now
	if n.isMajority(n.Disk.View.Members) && !p.Accepted {
		p.Accepted = true
		n.Event(EventAccepted, protocol.NodeID{}, 0, "")
	}
	for _, host := range last.Hosts {
		if !slices.Contains(now.Hosts, host) {
			n.Event(EventClosed, host, last.Try, "")
		}
	}
	if now.Requested != last.Requested && now.End != Done {
		n.Event(EventCancel, protocol.NodeID{}, 0, now.Requested.String())
	}
	open := now.End == 0 && now.Requested == 0
	switch {
	case now.End != last.End:
		n.Event(EventEnded, protocol.NodeID{}, 0, now.End.String())
	case open && !now.Attempt.IsNone() && now.Attempt != last.Attempt:
		n.Event(EventPermitted, now.Attempt.By, now.Attempt.Epoch, "")
	case open && now.Attempt.IsNone() && now.Try > p.Submitted:
		p.Submitted = now.Try
		n.Event(EventSubmit, protocol.NodeID{}, now.Try, "")
	}
	if len(n.Disk.View.Members) == len(n.Custodians) && now.End != 0 && !now.Settled {
		n.Disk.Record.Settled = true
		n.change()
	}
}
