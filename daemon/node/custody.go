package node

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

type custodyInstance = driver.Instance[custody.State, custody.Message, custody.Command]

// records are the jobs of which this node is a custodian.
type records struct {
	*life.Runtime
	*config.Settings
	grid    grid
	turns   submitter
	copies  copier
	tombs   forgetter
	arrays  *arrays
	refuses func() string // why this node may take no jobs, or nothing
	askLeft func()        // asks which nodes have left while this daemon was down
	save    func(...disk.Put) error
	breaks  func(from protocol.NodeID, what string, err error) // it has sent invalid data

	keptJobs map[driver.CoreID]*keptJob
	lastJob  uint32 // the latest number of a job that was taken
}

// submitter is the records' view of the submission of jobs to the grid.
type submitter interface {
	want(k *keptJob, pause time.Duration)
	permitted(k *keptJob, a custody.Attempt)
	stop(k *keptJob)
	leave(k *keptJob)
	drop(k *keptJob)
}

// copier is the records' view of the copies of records and contents.
type copier interface {
	spread(k *keptJob, then func(without []protocol.Address))
	fetchContents(k *keptJob, from protocol.NodeID)
	lacks(r *jobs.Record) []string
}

// forgetter is the records' view of forgotten jobs.
type forgetter interface {
	isForgotten(name jobs.Name) bool
	forgotten(k *keptJob)
	catchUp(resting []*jobs.Record)
	expireTombstones()
}

// keptJob is a job of which this node is a custodian.
type keptJob struct {
	id     driver.CoreID
	core   *custodyInstance
	record *jobs.Record

	number     uint32         // in package placement; 0: not submitted in this incarnation
	ticket     uint32         // of its latest submission in this incarnation; 0: none
	vain       string         // why its search found no owner, if known
	askedHosts time.Duration  // when the hosts of its attempt were asked last whether they hold it
	askedTaker time.Duration  // and the daemon that takes it, or since when it is kept here
	asking     bool           // a request for the permit is on its way to the other custodians
	asked      rpc.JobAttempt // that the latest of these is for
	refused    map[custody.Attempt]bool
	closed     map[closing]bool
	waiting    rpc.Waiting        // questions about the job
	seen       time.Duration      // reading of the clock when this incarnation first saw the job
	taken      time.Duration      // and when the job was taken
	attempt    custody.Attempt    // the open one, once this incarnation has seen it
	began      time.Duration      // and when it did
	fetching   bool               // contents from another custodian
	full       string             // why the disk does not take all contents; empty: it does
	silent     []protocol.Address // custodians that have not answered
	crowded    []protocol.Address // and custodians without room for its inputs
}

// closing names a host of an attempt of a try, of which nothing runs there.
type closing struct {
	host protocol.NodeID
	try  uint32
}

// answersLimit is how many answers of the custodians are remembered of a job.
const answersLimit = 1024

// state is the state of the custodian; false before its first step.
func (k *keptJob) state() (custody.State, bool) {
	s := k.core.State()
	return s, s.Self.Incarnation > 0
}

// leads reports whether this node decides about the job.
func (k *keptJob) leads() bool {
	s, begun := k.state()
	return begun && s.Leads()
}

// decided is the record of the custodians' decisions. It is the primary's.
func (k *keptJob) decided() custody.Record {
	s, _ := k.state()
	return s.Primary.Record
}

// keptJobOf returns the kept job of a record of the table, and creates it if missing: a job that
// has ended at all its custodians has no custody core until a request arrives.
func (rs *records) keptJobOf(r *jobs.Record) *keptJob {
	id := life.CustodyID(r.Custody)
	if k := rs.keptJobs[id]; k != nil {
		return k
	}
	persisted, err := rs.Store.Get(disk.Cores, life.CoreKey(id))
	if err != nil {
		rs.Fail(err)
	}
	return rs.addKeptJob(r, persisted)
}

// keptJobNow returns a kept job, or nil if it rests or this node does not keep it.
func (rs *records) keptJobNow(name jobs.Name) *keptJob { return rs.keptJobs[life.CustodyID(name)] }

// keptJobAt returns the kept job of a core, or nil.
func (rs *records) keptJobAt(core driver.CoreID) *keptJob { return rs.keptJobs[core] }

// isKept reports whether this node still keeps a job so.
func (rs *records) isKept(k *keptJob) bool { return rs.keptJobs[k.id] == k }

// custodyPace is the time between two repetitions of messages by the jobs of this daemon, all
// together. Jobs whose custodians are out of reach repeat them for as long as that lasts: without a
// bound a thousand of them need a processor for it, and the leases run out.
const custodyPace = 5 * time.Millisecond

func (rs *records) addKeptJob(r *jobs.Record, persisted []byte) *keptJob {
	k := &keptJob{
		id: life.CustodyID(r.Custody), record: r, refused: map[custody.Attempt]bool{}, closed: map[closing]bool{},
		askedTaker: rs.Clock(),
	}
	rs.see(k, persisted != nil)
	core := &custody.Core{Config: rs.Config.Grid.Custody()}
	traits := driver.Traits[custody.State, custody.Message]{
		Self: func(s custody.State) protocol.NodeID { return s.Self },
		Pace: custodyPace,
	}
	k.core = driver.Add(rs.Loop, k.id, core, traits, custody.New(rs.Self, r.Custodians), persisted)
	rs.keptJobs[k.id] = k
	return k
}

// restore goes on with the jobs of earlier incarnations. A job that this daemon had begun to take,
// and of which no custodian can have a record, was never acknowledged: it is dropped.
func (rs *records) restore() {
	if rs.Restored {
		return
	}
	rs.Restored = true
	var resting []*jobs.Record
	for _, r := range rs.Table.Everything() {
		rests, err := rs.restoreJob(r)
		if rs.Keep(err); rests {
			resting = append(resting, r)
		}
	}
	rs.tombs.catchUp(resting)
	rs.askLeft()
	rs.tombs.expireTombstones()
}

// restoreJob goes on with a job, unless it rests: it has ended at all its custodians.
func (rs *records) restoreJob(r *jobs.Record) (rests bool, err error) {
	id := life.CustodyID(r.Custody)
	persisted, err := rs.Store.Get(disk.Cores, life.CoreKey(id))
	if err != nil {
		return false, err
	}
	var kept custody.Disk
	if len(persisted) > 0 {
		if kept, err = custody.DecodeDisk(persisted); err != nil {
			return false, rs.Damaged(disk.Cores, life.CoreKey(id), fmt.Errorf("the record of job %s: %w", r.ID, err))
		}
	}
	switch {
	case kept.View.Number == 0 && r.Custodians[0] == rs.Self.Address:
		rs.Table.Remove(r)
		return false, rs.save(disk.Put{Bucket: disk.Cores, Key: life.CoreKey(id)})
	case kept.Record.Settled && r.State.Final():
		return true, nil
	}
	rs.addKeptJob(r, persisted)
	return false, nil
}

// dropKeptJob stops keeping a job, and removes the state of its core from the disk.
func (rs *records) dropKeptJob(k *keptJob) {
	rs.endKeptJob(k)
	rs.Keep(rs.save(disk.Put{Bucket: disk.Cores, Key: life.CoreKey(k.id)}))
}

// endKeptJob stops keeping a job whose core has no state on the disk any more.
func (rs *records) endKeptJob(k *keptJob) {
	rs.Loop.Remove(k.id)
	delete(rs.keptJobs, k.id)
	rs.turns.drop(k)
}

// deliverJob takes a message of a custodian, with its copy of the record.
func (rs *records) deliverJob(from protocol.NodeID, core driver.CoreID, message, text []byte) {
	name := jobs.Name{By: core.By, Number: core.Epoch}
	if len(text) > 0 {
		switch err := rs.adopt(from, text); {
		case errors.Is(err, errNever):
			return // its sender asks whether this daemon takes the job
		case errors.Is(err, rpc.ErrForgotten):
			sender := protocol.NodeID{Address: from.Address}
			rpc.Erase.Ask(rs.Calls, rpc.Daemon(sender).Within(tellPatience), name, nil)
			return
		case errors.Is(err, jobs.ErrRecord):
			rs.breaks(from, "copy of a record", err)
			return
		case err != nil:
			rs.Log.Warn("a record that cannot be kept", "from", from.String(), "error", err)
			return
		}
	}
	if r := rs.Table.Named(name); r != nil && !rs.lacksInputs(rs.keptJobOf(r)) {
		rs.Loop.Deliver(core, from, rs.Self, message)
	}
}

// lacksInputs reports whether this custodian was asked to keep a job of which it has no record, and
// whose inputs are not here. Until they are it promises nothing: an accepted job relies on them.
// The elements of an array have its contents.
func (rs *records) lacksInputs(k *keptJob) bool {
	s, _ := k.state()
	r := k.record
	return s.Disk.View.Number == 0 && r.Stamp.View == 0 && r.Parent == "" && r.Custodians[0] != rs.Self.Address &&
		len(rs.copies.lacks(r)) > 0
}

// errStrange says that this node or the sender is no custodian of the record.
var errStrange = errors.New("this node is no custodian of the job, or its sender is none")

// errNever says that the job has no custodian under this name, and never will: the daemon that gave
// it the name has chosen another one, or a later incarnation of that daemon has dropped the job.
var errNever = errors.New("the job has no custodian under this name")

// adopt keeps the copy of another custodian, if it is newer.
func (rs *records) adopt(from protocol.NodeID, text []byte) error {
	fresh, err := jobs.Decode(text)
	if err != nil {
		return err
	}
	if !slices.Contains(fresh.Custodians, rs.Self.Address) || !slices.Contains(fresh.Custodians, from.Address) {
		return errStrange
	}
	if old := rs.Table.Get(fresh.ID); old != nil && old.Custody != fresh.Custody {
		// The daemon that took the job had to choose other custodians: there is no record under the
		// old name. A custodian chosen under the old name may not have received the new one yet.
		if !fresh.Custody.Replaces(old.Custody) {
			return errNever
		}
		k := rs.keptJobOf(old)
		if s, begun := k.state(); !begun || s.Disk.View.Number > 0 {
			return fmt.Errorf("%w: job %s has another name", jobs.ErrRecord, fresh.ID)
		}
		rs.dropKeptJob(k)
		rs.Table.Remove(old)
	}
	r := rs.Table.Named(fresh.Custody)
	switch {
	case r == nil && rs.tombs.isForgotten(fresh.Custody):
		return rpc.ErrForgotten
	case r == nil && fresh.Custodians[0] == rs.Self.Address && fresh.Stamp.View == 0:
		// An earlier incarnation of this daemon has begun to take it. It has acknowledged nothing,
		// so the job was dropped, and no other daemon may take it.
		return errNever
	case r != nil && rs.keptJobOf(r).leads():
		return nil // its own copy counts
	}
	r, adopted, err := rs.Table.Adopt(fresh)
	if adopted {
		rs.copies.fetchContents(rs.keptJobOf(r), from)
	}
	return err
}

// copyFor is the record that goes with a message to another custodian: all messages need it but the
// answer to a copy.
func (rs *records) copyFor(core driver.CoreID, message []byte) []byte {
	k := rs.keptJobs[core]
	if k == nil || len(message) > 0 && custody.MessageKind(message[0]) == custody.Copied {
		return nil
	}
	return k.record.Encode()
}

// onCustody follows the events of the custodians of a job.
func (rs *records) onCustody(id driver.CoreID, e protocol.Event) {
	k := rs.keptJobs[id]
	if k == nil {
		return
	}
	r := k.record
	switch e.Name {
	case custody.EventLeads:
		k.asking = false // to ask again is harmless
		rs.follow(k)
		rs.Table.Lead(r, e.Number)
		rs.watchDeadline(k)
		rs.watchTimeout(k)
	case custody.EventAccepted:
		rs.Table.Ack(r)
	case custody.EventYields:
		rs.turns.leave(k)
		return
	case custody.EventSubmit:
		rs.follow(k)
		pause, _ := r.Again()
		rs.turns.want(k, pause)
	case custody.EventPermitted:
		k.asking = false
		rs.follow(k)
		rs.turns.permitted(k, custody.Attempt{By: e.Peer, Epoch: e.Number})
		k.began = rs.Clock() // it asked for the permit before, and that can take a while
		rs.watchTimeout(k)
	case custody.EventRefused:
		k.asking = false
		k.answersFit()
		k.refused[custody.Attempt{By: e.Peer, Epoch: e.Number}] = true
		rs.Table.Refuse(r, e.Peer, e.Number)
	case custody.EventClosed:
		k.answersFit()
		k.closed[closing{e.Peer, e.Number}] = true
		rs.follow(k)
	case custody.EventCancel:
		rs.halt(k)
	case custody.EventEnded:
		rs.follow(k)
		rs.turns.stop(k)
		rs.turns.leave(k)
	case custody.EventForgotten:
		rs.tombs.forgotten(k)
		rs.Calls.Reopen(&k.waiting)
		return
	case custody.EventLater, custody.EventElsewhere:
		k.asking = false
		return
	default:
		return
	}
	rs.press(k)
	rs.Calls.Reopen(&k.waiting)
}

// answersFit forgets old answers when there are too many: attempts ask again.
func (k *keptJob) answersFit() {
	if len(k.refused)+len(k.closed) >= answersLimit {
		clear(k.refused)
		clear(k.closed)
	}
}

// follow brings the record up to date with the decisions of the custodians.
func (rs *records) follow(k *keptJob) {
	ended := k.record.State.Final()
	rs.Table.Follow(k.record, k.decided())
	rs.noteBegin(k)
	if !ended && k.record.State.Final() {
		rs.copies.spread(k, nil)
	}
}

// press repeats to the custodians the requests of the record, and the deaths of nodes. Each command
// may be repeated, so this may be called at any time.
func (rs *records) press(k *keptJob) {
	r := k.record
	rs.reportDeaths(k)
	if !k.leads() {
		return
	}
	c, committed := k.decided(), k.core.State().Primary.Committed
	if c.End != 0 || !committed {
		return
	}
	if r.Requested != "" && c.Requested == 0 && (r.Spec.Array == nil || r.Result != "") {
		rs.order(k, custody.Command{Kind: custody.CommandCancel, Requested: r.End()})
		return
	}
	if r.Spec.Array != nil {
		rs.arrays.coordinate(k, c)
		return
	}
	open := r.Open()
	switch {
	case open == nil && r.Asked != nil && !k.asking && !r.Held:
		k.asking = true
		rs.order(k, custody.Command{
			Kind: custody.CommandPermit, Try: c.Try, Attempt: r.Asked.Attempt(), Hosts: sorted(r.Asked.Hosts),
		})
	case open == nil || open.Attempt() != c.Attempt || open.Statuses == nil:
	case rs.triesAgain(r):
		for _, host := range c.Hosts { // an attempt with statuses runs nowhere any more
			rs.close(k, c.Try, c.Attempt, host)
		}
	default:
		rs.order(k, custody.Command{
			Kind: custody.CommandOutcome, Try: c.Try, Attempt: c.Attempt, Outcome: r.Digest(),
		})
	}
}

// triesAgain reports whether another attempt follows the attempt with statuses.
func (rs *records) triesAgain(r *jobs.Record) bool {
	_, again := r.Again()
	return again && r.Requested == ""
}

// reportDeaths notifies the custodian of the deaths of other custodians, and of hosts.
func (rs *records) reportDeaths(k *keptJob) {
	s, begun := k.state()
	if s.Over || rs.replacesDead(k) {
		return
	}
	tell := func(life protocol.NodeID) { rs.order(k, custody.Command{Kind: custody.CommandDead, Life: life}) }
	for i, a := range k.record.Custodians {
		var l custody.Life // zero before the first step of the instance
		if begun {
			l = s.Lives[i]
		}
		life := protocol.NodeID{Address: a, Incarnation: max(l.Known, rs.grid.LastKnown(a).Incarnation)}
		if begun && s.Disk.View.Number > 0 && l.Known == 0 && life.Incarnation > 0 && !rs.grid.IsDead(life) {
			life.Incarnation-- // earlier ones have ended, and this one may have no record of the job
		}
		if a != rs.Self.Address && life.Incarnation > l.Dead && rs.grid.IsDead(life) {
			tell(life)
		}
	}
	if begun && s.Primary.Committed {
		for _, host := range s.Primary.Record.Hosts {
			if rs.grid.IsDead(host) {
				rs.noteDeath(k)
				tell(host)
			}
		}
	}
}

// noteDeath notes, once, when the loss of a host of an attempt became known.
func (rs *records) noteDeath(k *keptJob) {
	r := k.record
	if open := r.Open(); k.leads() && open != nil && r.Times.Noted.Before(open.Begin) {
		rs.Table.NoteEnd(r)
	}
}

// close notifies the custodian that nothing of an attempt runs at a host any more. The time of that
// notice goes to the others with it, except for an outcome, whose time the record has already.
func (rs *records) close(k *keptJob, try uint32, a custody.Attempt, host protocol.NodeID) {
	if open := k.record.Open(); open != nil && open.Attempt() == a && open.Statuses == nil {
		rs.Table.NoteEnd(k.record)
	}
	rs.order(k, custody.Command{Kind: custody.CommandClosed, Try: try, Attempt: a, Life: host})
}

// order gives a command to the custodian.
func (rs *records) order(k *keptJob, c custody.Command) { rs.Loop.Command(k.id, c) }

// sorted is the hosts of an attempt as custodians take them.
func sorted(hosts []protocol.NodeID) []protocol.NodeID {
	hosts = slices.Clone(hosts)
	slices.SortFunc(hosts, protocol.NodeID.Compare)
	return slices.Compact(hosts)
}
