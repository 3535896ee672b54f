package node

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

type custodyInstance = driver.Instance[custody.State, custody.Message, custody.Command]

// keeping is a job of which this node is a custodian.
type keeping struct {
	id     driver.CoreID
	core   *custodyInstance
	record *jobs.Record

	ticket     uint32        // of the latest submission of this life to the grid; 0: none
	announced  uint32        // the latest try that was to be submitted, since this custodian decides; 0: none
	resting    bool          // it is handed to the grid after a pause
	rests      int           // how often it was
	askedOwner time.Duration // when the owner was asked last whether it has the job
	askedHosts time.Duration // and the hosts of its attempt
	askedTaker time.Duration // and the daemon that takes it, or since when it is kept here
	asking     bool          // a request for the permit is on its way to the other custodians
	refused    map[custody.Attempt]bool
	closed     map[closing]bool
	waiting    rpc.Waiting        // questions about the job
	seen       time.Duration      // reading of the clock when this life saw the job first
	taken      time.Duration      // and when the job was taken
	attempt    custody.Attempt    // the open one that this life has seen
	began      time.Duration      // and when it did
	fetching   bool               // contents from another custodian
	full       string             // why the disk does not take all contents; empty: it does
	silent     []protocol.Address // that were to keep it, and have not answered
	crowded    []protocol.Address // and those that do not keep its inputs
}

// closing names a host of an attempt of a try, of which nothing runs there.
type closing struct {
	host protocol.NodeID
	try  uint32
}

// answersLimit is how many answers of the custodians are remembered of a job.
const answersLimit = 1024

// state is the state of the custodian; false before its first step.
func (k *keeping) state() (custody.State, bool) {
	s := k.core.State()
	return s, s.Self.Incarnation > 0
}

// leads reports whether this node decides about the job.
func (k *keeping) leads() bool {
	s, begun := k.state()
	return begun && s.Leads()
}

// decided is what the custodians have decided. It is the primary's.
func (k *keeping) decided() custody.Record {
	s, _ := k.state()
	return s.Primary.Record
}

// keepingOf returns the keeping of a record of the table, which is made if need be: that of a job
// that has ended at all its custodians rests until somebody asks.
func (n *Node) keepingOf(r *jobs.Record) *keeping {
	id := custodyID(r.Custody)
	if k := n.keepings[id]; k != nil {
		return k
	}
	persisted, err := n.store.Get(disk.Cores, coreKey(id))
	if err != nil {
		n.fail(err)
	}
	return n.addKeeping(r, persisted)
}

// keepingNow is the keeping of a job, or nil if it rests or there is none.
func (n *Node) keepingNow(name jobs.Name) *keeping { return n.keepings[custodyID(name)] }

// keepingPace is how often the jobs that this daemon keeps say anything again, all together. Those
// whose custodians are out of reach greet them for as long as that lasts: without a bound a
// thousand of them need a processor for it, and the leases run out.
const keepingPace = 5 * time.Millisecond

func (n *Node) addKeeping(r *jobs.Record, persisted []byte) *keeping {
	k := &keeping{
		id: custodyID(r.Custody), record: r, refused: map[custody.Attempt]bool{}, closed: map[closing]bool{},
		askedTaker: n.clock(),
	}
	n.see(k, persisted != nil)
	core := &custody.Core{Config: n.config.Grid.Custody()}
	traits := driver.Traits[custody.State, custody.Message]{
		Self: func(s custody.State) protocol.NodeID { return s.Self },
		Pace: keepingPace,
	}
	k.core = driver.Add(n.loop, k.id, core, traits, custody.New(n.self, r.Custodians), persisted)
	n.keepings[k.id] = k
	return k
}

// restore goes on with the jobs that former lives have kept. A job that this daemon had begun to
// take, and that no custodian can know of, was never acknowledged: it is dropped.
func (n *Node) restore() {
	if n.restored {
		return
	}
	n.restored = true
	var resting []*jobs.Record
	for _, r := range n.table.Everything() {
		rests, err := n.restoreJob(r)
		if n.keep(err); rests {
			resting = append(resting, r)
		}
	}
	n.catchUp(resting)
	n.askDeparted()
	n.forgetForgotten()
}

// restoreJob goes on with a job, unless it rests: it has ended at all its custodians.
func (n *Node) restoreJob(r *jobs.Record) (rests bool, err error) {
	id := custodyID(r.Custody)
	persisted, err := n.store.Get(disk.Cores, coreKey(id))
	if err != nil {
		return false, err
	}
	var kept custody.Disk
	if len(persisted) > 0 {
		if kept, err = custody.DecodeDisk(persisted); err != nil {
			return false, n.damaged(disk.Cores, coreKey(id), fmt.Errorf("the record of job %s: %w", r.ID, err))
		}
	}
	switch {
	case kept.View.Number == 0 && r.Custodians[0] == n.self.Address:
		n.table.Remove(r)
		return false, n.write(disk.Put{Bucket: disk.Cores, Key: coreKey(id)})
	case kept.Record.Settled && r.State.Final():
		return true, nil
	}
	n.addKeeping(r, persisted)
	return false, nil
}

// dropKeeping ends the keeping of a job here, and removes what is on the disk.
func (n *Node) dropKeeping(k *keeping) {
	n.endKeeping(k)
	n.keep(n.write(disk.Put{Bucket: disk.Cores, Key: coreKey(k.id)}))
}

// endKeeping ends the keeping of a job of which nothing is on the disk any more.
func (n *Node) endKeeping(k *keeping) {
	n.loop.Remove(k.id)
	delete(n.keepings, k.id)
	n.dropTicket(k)
	n.dropTurn(k)
}

// deliverJob takes a message of a custodian, with its copy of the record.
func (n *Node) deliverJob(from protocol.NodeID, core driver.CoreID, message, text []byte) {
	name := jobs.Name{By: core.By, Number: core.Epoch}
	if len(text) > 0 {
		switch err := n.adopt(from, text); {
		case errors.Is(err, errNever):
			return // its sender asks whether this daemon takes the job
		case errors.Is(err, rpc.ErrForgotten):
			sender := protocol.NodeID{Address: from.Address}
			rpc.Erase.Ask(n.calls, rpc.Daemon(sender).Within(tellPatience), name, nil)
			return
		case errors.Is(err, jobs.ErrRecord):
			n.unreadable(from, "copy of a record", err)
			return
		case err != nil:
			n.log.Warn("a record that cannot be kept", "from", from.String(), "error", err)
			return
		}
	}
	if r := n.table.Named(name); r != nil && !n.lacksInputs(n.keepingOf(r)) {
		n.loop.Deliver(core, from, n.self, message)
	}
}

// lacksInputs reports whether this custodian was asked to keep a job of which it has no record, and
// its inputs are not here. Until they are it promises nothing: a job that is accepted rests on
// them. The elements of an array have its contents.
func (n *Node) lacksInputs(k *keeping) bool {
	s, _ := k.state()
	r := k.record
	return s.Disk.View.Number == 0 && r.Stamp.View == 0 && r.Parent == "" && r.Custodians[0] != n.self.Address &&
		len(n.lacks(r)) > 0
}

// errStrange says that a record is none of this node.
var errStrange = errors.New("this node is no custodian of the job, or its sender is none")

// errNever says that nobody keeps the job under this name, nor ever will: the daemon that has given
// it the name has chosen another one, or a later life of it has dropped the job.
var errNever = errors.New("nobody keeps the job under this name")

// adopt keeps the copy of another custodian, if it is newer.
func (n *Node) adopt(from protocol.NodeID, text []byte) error {
	fresh, err := jobs.Decode(text)
	if err != nil {
		return err
	}
	if !slices.Contains(fresh.Custodians, n.self.Address) || !slices.Contains(fresh.Custodians, from.Address) {
		return errStrange
	}
	if old := n.table.Get(fresh.ID); old != nil && old.Custody != fresh.Custody {
		// The daemon that took the job had to choose other custodians: nobody has a record of the
		// old name. One that was to keep the job under the old name may not know it yet.
		if !fresh.Custody.Replaces(old.Custody) {
			return errNever
		}
		k := n.keepingOf(old)
		if s, begun := k.state(); !begun || s.Disk.View.Number > 0 {
			return fmt.Errorf("%w: job %s has another name", jobs.ErrRecord, fresh.ID)
		}
		n.dropKeeping(k)
		n.table.Remove(old)
	}
	r := n.table.Named(fresh.Custody)
	switch {
	case r == nil && n.hasForgotten(fresh.Custody):
		return rpc.ErrForgotten
	case r == nil && fresh.Custodians[0] == n.self.Address && fresh.Stamp.View == 0:
		// A former life of this daemon has begun to take it. It has acknowledged nothing, so the
		// job was dropped, and nobody else may take it.
		return errNever
	case r != nil && n.keepingOf(r).leads():
		return nil // its own copy is the one that counts
	}
	r, adopted, err := n.table.Adopt(fresh)
	if adopted {
		n.fetchContents(n.keepingOf(r), from)
	}
	return err
}

// copyFor is the record as it goes with a message to another custodian: all but the answer to a
// copy need it.
func (n *Node) copyFor(core driver.CoreID, message []byte) []byte {
	k := n.keepings[core]
	if k == nil || len(message) > 0 && custody.MessageKind(message[0]) == custody.Copied {
		return nil
	}
	return k.record.Encode()
}

// onCustody follows the events of the custodians of a job.
func (n *Node) onCustody(id driver.CoreID, e protocol.Event) {
	k := n.keepings[id]
	if k == nil {
		return
	}
	r := k.record
	switch e.Name {
	case custody.EventLeads:
		k.asking = false // to ask again is harmless
		n.follow(k)
		n.table.Lead(r, e.Number)
		n.watchDeadline(k)
		n.watchTimeout(k)
		n.goesOn(k)
	case custody.EventAccepted:
		n.table.Ack(r)
	case custody.EventYields:
		k.announced = 0 // it is announced again when this custodian decides once more
		return
	case custody.EventSubmit:
		k.announced = e.Number
		n.follow(k)
		n.submitLater(k)
	case custody.EventPermitted:
		k.asking = false
		n.follow(k)
		k.began = n.clock() // it asked for the permit before, and that can take a while
		n.watchTimeout(k)
	case custody.EventRefused:
		k.asking = false
		k.answersFit()
		k.refused[custody.Attempt{By: e.Peer, Epoch: e.Number}] = true
		n.table.Refuse(r, e.Peer, e.Number)
	case custody.EventClosed:
		k.answersFit()
		k.closed[closing{e.Peer, e.Number}] = true
		n.follow(k)
	case custody.EventCancel:
		n.halt(k)
	case custody.EventEnded:
		n.follow(k)
		n.revoke(k)
	case custody.EventForgotten:
		n.forgotten(k)
		n.calls.Reopen(&k.waiting)
		return
	case custody.EventLater, custody.EventElsewhere:
		k.asking = false
		return
	default:
		return
	}
	n.press(k)
	n.calls.Reopen(&k.waiting)
	n.nextTurns()
}

// answersFit forgets old answers when there are too many: who wants one asks again.
func (k *keeping) answersFit() {
	if len(k.refused)+len(k.closed) >= answersLimit {
		clear(k.refused)
		clear(k.closed)
	}
}

// follow brings the record to what the custodians have decided.
func (n *Node) follow(k *keeping) {
	ended := k.record.State.Final()
	n.table.Follow(k.record, k.decided())
	n.noteBegin(k)
	if !ended && k.record.State.Final() {
		n.spread(k, nil)
	}
}

// press gives the custodians again what the record wants of them, and what it says of nodes that
// have died. Each command may be repeated, so this may be called at any time.
func (n *Node) press(k *keeping) {
	r := k.record
	n.mourn(k)
	if !k.leads() {
		return
	}
	c, committed := k.decided(), k.core.State().Primary.Committed
	if c.End != 0 || !committed {
		return
	}
	if r.Wish != "" && c.Wish == 0 && (r.Spec.Array == nil || r.Result != "") {
		n.order(k, custody.Command{Kind: custody.CommandCancel, Wish: r.End()})
		return
	}
	if r.Spec.Array != nil {
		n.arrays.coordinate(k, c)
		return
	}
	open := r.Open()
	switch {
	case open == nil && r.Asked != nil && !k.asking && !r.Held:
		k.asking = true
		n.order(k, custody.Command{
			Kind: custody.CommandPermit, Try: c.Try, Attempt: r.Asked.Attempt(), Hosts: sorted(r.Asked.Hosts),
		})
	case open == nil || open.Attempt() != c.Attempt || open.Statuses == nil:
	case n.triesAgain(r):
		for _, host := range c.Hosts { // an attempt with statuses runs nowhere any more
			n.close(k, c.Try, c.Attempt, host)
		}
	default:
		n.order(k, custody.Command{
			Kind: custody.CommandOutcome, Try: c.Try, Attempt: c.Attempt, Outcome: r.Digest(),
		})
	}
}

// triesAgain reports whether the attempt with statuses is to be followed by another one.
func (n *Node) triesAgain(r *jobs.Record) bool {
	_, again := r.Again()
	return again && r.Wish == ""
}

// mourn tells the custodian which of the other ones, and which hosts, have died.
func (n *Node) mourn(k *keeping) {
	s, begun := k.state()
	if s.Over || n.replacesDead(k) {
		return
	}
	tell := func(life protocol.NodeID) { n.order(k, custody.Command{Kind: custody.CommandDead, Life: life}) }
	for i, a := range k.record.Custodians {
		var l custody.Life // an instance that has not begun knows none
		if begun {
			l = s.Lives[i]
		}
		life := protocol.NodeID{Address: a, Incarnation: max(l.Known, n.lives[a], n.noted[a])}
		if begun && s.Disk.View.Number > 0 && l.Known == 0 && life.Incarnation > 0 && !n.dead(life) {
			life.Incarnation-- // those before have ended, and this one may not have heard of the job
		}
		if a != n.self.Address && life.Incarnation > l.Dead && n.dead(life) {
			tell(life)
		}
	}
	if begun && s.Primary.Committed {
		for _, host := range s.Primary.Record.Hosts {
			if n.dead(host) {
				n.noteDeath(k)
				tell(host)
			}
		}
	}
}

// noteDeath notes, once, when it was known that an attempt has lost a host.
func (n *Node) noteDeath(k *keeping) {
	r := k.record
	if open := r.Open(); k.leads() && open != nil && r.Times.Noted.Before(open.Begin) {
		n.table.NoteEnd(r)
	}
}

// close tells the custodian that nothing of an attempt runs at a host any more. When that became
// known goes to the others with it, but for an outcome, whose time the record has already.
func (n *Node) close(k *keeping, try uint32, a custody.Attempt, host protocol.NodeID) {
	if open := k.record.Open(); open != nil && open.Attempt() == a && open.Statuses == nil {
		n.table.NoteEnd(k.record)
	}
	n.order(k, custody.Command{Kind: custody.CommandClosed, Try: try, Attempt: a, Life: host})
}

// order gives a command to the custodian.
func (n *Node) order(k *keeping, c custody.Command) { n.loop.Command(k.id, c) }

// sorted is the hosts of an attempt as custodians take them.
func sorted(hosts []protocol.NodeID) []protocol.NodeID {
	hosts = slices.Clone(hosts)
	slices.SortFunc(hosts, protocol.NodeID.Compare)
	return slices.Compact(hosts)
}

// deciding returns the keeping of a job for a question that its primary answers. A life without a
// lease may count as dead, so it decides nothing: its custodians do not run yet.
func (n *Node) deciding(name jobs.Name) (*keeping, error) {
	if !n.restored {
		return nil, rpc.ErrLater
	}
	r := n.table.Named(name)
	switch {
	case r == nil && n.hasForgotten(name):
		return nil, rpc.ErrForgotten
	case r == nil:
		return nil, fmt.Errorf("%w: node %v has no job %v/%d", rpc.ErrNoRecord, n.self, name.By, name.Number)
	}
	k := n.keepingOf(r)
	if k.leads() {
		return k, nil
	}
	n.mourn(k) // of a job that has ended nobody may have told it that the one that decides has died
	s, begun := k.state()
	if !begun || s.Leader().Address == n.self.Address {
		return k, k.waiting.Undecided()
	}
	return k, rpc.Elsewhere{Leader: s.Leader().Address}
}
