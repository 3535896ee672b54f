package custody

import (
	"cmp"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// advance takes all steps that have become possible: the leader begins a view or completes one, and
// the primary announces the decisions that all members have stored. Changes by a commit are
// committed in turn.
func (n *node) advance() {
	if n.Forming.Active && !n.isLeader() {
		n.Forming = Forming{}
	}
	if !n.Forming.Active && n.isLeader() && n.hasStaleView() {
		n.prepare()
	}
	if n.Forming.Active && n.mayInstall() {
		n.install()
	}
	for n.presides() && !n.Primary.Committed && !slices.Contains(n.Primary.Acked, false) {
		n.commit()
	}
}

// isLeader reports whether this custodian is the first that may run.
func (n *node) isLeader() bool { return n.Custodians[n.leader()] == n.Self.Address }

// hasStaleView reports whether a leader needs another view than that on its disk: it takes no part
// in it, a member has died, or a custodian that runs is no member. A leader without a record needs
// one to make a record, or to get that of another custodian.
func (n *node) hasStaleView() bool {
	view := n.Disk.View
	if n.Disk.Promised > 0 && !n.works() || n.Wanted > 0 {
		return true
	}
	for i, a := range n.Custodians {
		l := n.Lives[i]
		at := slices.IndexFunc(view.Members, func(id protocol.NodeID) bool { return id.Address == a })
		switch {
		case a == n.Self.Address:
		case l.gone() && at >= 0:
			return true
		case !l.gone() && l.Known > 0 && (at < 0 || view.Members[at].Incarnation != l.Known):
			return true
		}
	}
	return false
}

// prepare begins a view. The leader promises it to itself, durably, before it asks the others.
func (n *node) prepare() {
	d := &n.Disk
	d.Promised++
	for n.owner(d.Promised) != n.Self.Address {
		d.Promised++
	}
	n.stored = true
	n.Primary.pause()
	n.Forming = Forming{Active: true, Lives: []protocol.NodeID{n.Self}, View: d.View, Seq: d.Seq, Record: d.Record}
	n.Out.Send = append(n.Out.Send, n.unanswered()...)
}

// onPrepare answers a leader. A custodian that has promised takes no part in older views any more,
// so the promises name every decision that can be made there.
func (n *node) onPrepare(from protocol.NodeID, number uint32) {
	d := &n.Disk
	switch {
	case n.owner(number) != from.Address:
		n.Ignore(from, "not the owner of that view")
		return
	case number < d.Promised:
		n.send(from, Message{Kind: Hello, Number: d.Promised})
		return
	case number == d.View.Number:
		n.Ignore(from, "that view is stored already")
		return
	case number > d.Promised:
		d.Promised, d.Yielded, n.stored = number, true, true
		n.yield()
	}
	n.send(from, Message{Kind: Promise, Number: number, View: d.View, Seq: d.Seq, Record: d.Record})
}

// onHello takes a greeting. If its sender has promised a view of which the leader does not know,
// the leader needs a later one.
func (n *node) onHello(i int, from protocol.NodeID, number uint32) {
	if n.isLeader() && number > n.Disk.Promised {
		n.Disk.Promised, n.stored = number, true
		n.Forming = Forming{}
		n.Primary.pause()
		return
	}
	if n.Forming.Active && !n.promised(i) {
		n.send(from, Message{Kind: Prepare, Number: n.Disk.Promised})
	}
}

// onPromise takes a promise, and keeps the newest record among them. The incarnations of its view
// may run and decide there, even if the leader has never received anything from them: it must not
// pass over any of them.
func (n *node) onPromise(i int, from protocol.NodeID, m Message) {
	f := &n.Forming
	if !f.Active || m.Number != n.Disk.Promised || n.promised(i) {
		n.Ignore(from, "no promise is awaited")
		return
	}
	f.Lives = slices.DeleteFunc(f.Lives, func(id protocol.NodeID) bool { return id.Address == from.Address })
	f.Lives = append(f.Lives, from)
	slices.SortFunc(f.Lives, func(a, b protocol.NodeID) int {
		return cmp.Compare(n.index(a.Address), n.index(b.Address))
	})
	if newer(m.View.Number, m.Seq, f.View.Number, f.Seq) {
		f.View, f.Seq, f.Record = m.View, m.Seq, m.Record
	}
	n.learn(m.View)
}

// learn notes the incarnations of a view.
func (n *node) learn(v View) {
	for _, id := range v.Members {
		if i := n.index(id.Address); i >= 0 {
			n.Lives[i].Known = max(n.Lives[i].Known, id.Incarnation)
		}
	}
}

// newer reports whether the record of one view and number is newer than another one.
func newer(view, seq, thanView, thanSeq uint32) bool {
	return cmp.Or(cmp.Compare(view, thanView), cmp.Compare(seq, thanSeq)) > 0
}

// mayInstall reports whether all custodians that may run have promised, and whether their promises
// cover the last view that decided anything. Two of three do, since each view has two members, and
// both of two do. One of two does only if the other could decide nothing without it. If there is no
// record yet, the custodian that takes the job needs two of two or three as well: a dead one may
// have decided something only together with one of these.
func (n *node) mayInstall() bool {
	f := &n.Forming
	for i := range n.Custodians {
		if !n.Lives[i].gone() && !n.promised(i) {
			return false
		}
	}
	switch most := n.isMajority(f.Lives); {
	case f.View.Number == 0:
		return n.Wanted > 0 && most
	default:
		return most || len(n.Custodians) == 2 && n.wasLast()
	}
}

// isMajority reports whether these custodians are a majority: if any one disk of two or three is
// lost, one of these is left.
func (n *node) isMajority(some []protocol.NodeID) bool { return 2*len(some) > len(n.Custodians) }

// wasLast reports whether one of two custodians can be sure that no view was formed without it
// after the newest known view, and that no view will be. The other one has died. Either this very
// incarnation is a member of that view: then the other one never had a certificate of its death. Or
// it was the only member and has promised nothing since: then the other one had no record to go on
// with.
func (n *node) wasLast() bool {
	only := !n.Disk.Yielded
	for _, id := range n.Forming.View.Members {
		if id == n.Self {
			return true
		}
		only = only && id.Address == n.Self.Address
	}
	return only || n.Loss
}

// install stores the view at its leader, with the newest record, and sends it to the members.
func (n *node) install() {
	f, d := n.Forming, &n.Disk
	if f.View.Number == 0 {
		f.Record = Record{Try: 1, Limit: n.Wanted}
	}
	d.View, d.Seq, d.Record = View{Number: d.Promised, Members: f.Lives}, 0, f.Record
	d.Yielded, n.Wanted, n.Loss, n.Forming = false, 0, false, Forming{}
	n.replicate()
}

// replicate stores the latest record at the primary, and sends it to the other members.
func (n *node) replicate() {
	n.stored = true
	n.Primary.Committed, n.Primary.Acked = false, nil
	for _, id := range n.Disk.View.Members {
		n.Primary.Acked = append(n.Primary.Acked, id == n.Self)
	}
	n.Out.Send = append(n.Out.Send, n.copies()...)
}

// onCopy takes a record from the primary of a view, unless it has promised a later view.
func (n *node) onCopy(from protocol.NodeID, m Message) {
	d := &n.Disk
	switch {
	case n.owner(m.View.Number) != from.Address || !slices.Contains(m.View.Members, n.Self):
		n.Ignore(from, "not the view of the sender and this incarnation")
		return
	case m.View.Number < d.Promised:
		n.send(from, Message{Kind: Hello, Number: d.Promised})
		return
	case m.View.Number > d.Promised:
		n.Ignore(from, "a view that was not promised")
		return
	case newer(m.View.Number, m.Seq, d.View.Number, d.Seq):
		d.Yielded, d.View, d.Seq, d.Record = false, m.View, m.Seq, m.Record
		n.Wanted, n.stored = 0, true
	}
	n.send(from, Message{Kind: Copied, Number: d.View.Number, Seq: d.Seq})
}

// onCopied notes that a member has stored a record.
func (n *node) onCopied(from protocol.NodeID, m Message) {
	at := slices.Index(n.Disk.View.Members, from)
	if at < 0 || at >= len(n.Primary.Acked) || !n.presides() || m.Number != n.Disk.View.Number || m.Seq != n.Disk.Seq {
		n.Ignore(from, "not about the latest record")
		return
	}
	n.Primary.Acked[at] = true
}

// onDeath records that an incarnation of a custodian or of a host has ended.
func (n *node) onDeath(life protocol.NodeID) {
	if i := n.index(life.Address); i >= 0 && life.Address != n.Self.Address {
		n.Lives[i].Dead = max(n.Lives[i].Dead, life.Incarnation)
		n.Forming.Lives = slices.DeleteFunc(n.Forming.Lives, func(id protocol.NodeID) bool {
			return id.Address == life.Address && id.Incarnation <= life.Incarnation
		})
	}
	if n.Primary.Committed {
		n.closeHosts(func(host protocol.NodeID) bool {
			return host.Address == life.Address && host.Incarnation <= life.Incarnation
		})
	}
}

// pause ends the role until the next view is formed. Announcements are remembered.
func (p *Primary) pause() { p.Leads, p.Committed, p.Acked = false, false, nil }

// yield ends the role: another custodian forms a view.
func (n *node) yield() {
	if n.Primary.Record.Try > 0 {
		n.Event(EventYields, protocol.NodeID{}, 0, "")
	}
	n.Forming, n.Primary = Forming{}, Primary{}
}
