package node

import (
	"errors"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// attempt is an attempt of which this node is host or representative, or both.
type attempt struct {
	id   driver.CoreID
	job  reptask.Job
	core *musterInstance

	at     *rpc.Binding   // which job it is of, once that is known
	entry  rpc.Submission // and by which submission
	spec   *jobs.Spec     // at a host
	jobID  string
	ended  bool   // by the task layer: nothing may start here
	gone   bool   // and the custodians of the job know
	unfit  string // why nothing may start here
	lost   bool   // for a reason of this host, not of the job
	ports  []uint16
	frees  func() // gives the ports to the process; nil: none are held
	proc   host.Process
	exited bool
	laying bool      // files are put into its working folder, or read there
	told   jobs.Rank // of a task that has ended, while its outputs are being kept

	unwanted func() // ends the walk through its outputs; nil: there is none

	inputs progress // of the copy of its inputs
	begun  time.Time
	after  func() // to do once the process has ended; nil: nothing
}

func (a *attempt) name() rpc.AttemptName { return rpc.AttemptName{By: a.id.By, Epoch: a.id.Epoch} }

// ofJob names an attempt that is bound.
func (a *attempt) ofJob() rpc.JobAttempt {
	return rpc.JobAttempt{AttemptName: a.name(), Job: a.at.Job, Try: a.at.Try, Ticket: a.entry.Number}
}

// primary is the custodian that decides about the job of an attempt that is bound, for questions
// about it until the attempt has ended.
func (a *attempt) primary() rpc.Target {
	return rpc.Primary(a.at.Custodians).While(func() bool { return !a.ended })
}

// haltTask ends all ranks of a job when one has failed.
const haltTask = true

// attempt returns the attempt of a name, which is made if need be.
func (n *Node) attempt(id driver.CoreID, job reptask.Job) *attempt {
	if a := n.attempts[id]; a != nil {
		return a
	}
	a := &attempt{id: id, job: job}
	traits := driver.Traits[muster.State, muster.Message]{
		Self: func(muster.State) protocol.NodeID { return n.self },
	}
	core := &muster.Core{Config: n.config.Grid.Muster()}
	a.core = driver.Add(n.loop, id, core, traits, muster.New(n.self), nil)
	n.attempts[id] = a
	return a
}

// happened follows the events of the peer core.
func (n *Node) happened(e protocol.Event) {
	switch e.Name {
	case tasks(reptask.EventStart):
		n.startTask(e.Peer, e.Number)
	case tasks(reptask.EventDecide):
		n.represent(e.Peer, e.Number)
	case tasks(reptask.EventResign), tasks(reptask.EventSettled):
		n.over(e.Peer, e.Number)
	case tasks(reptask.EventSubmit):
		n.noteClient(e.Number)
	case tasks(reptask.EventCancelled), tasks(reptask.EventFailed):
		n.ownedEnds(e)
	case peer.CanLayer.String() + ":" + can.EventFenced:
		n.fail(n.fenced(fenceMap, "the map has given its zone away"))
	case tasks(reptask.EventFull):
		n.breaches.limit(e.Detail)
	case peer.EventOwned, peer.EventLost, peer.EventUnmatched:
		n.placed(e)
	}
}

// tasks is the name of an event of the task layer.
func tasks(name string) string { return peer.TaskLayer.String() + ":" + name }

// startTask makes this node a host: the task layer runs the task of an attempt.
func (n *Node) startTask(by protocol.NodeID, epoch uint32) {
	task, runs := n.running()
	if !runs || task.By != by || task.Epoch != epoch {
		return
	}
	a := n.attempt(musterID(by, epoch), task.Job)
	n.current = a
	n.find(a, func() { n.prepare(a, task.Rep) })
}

// running is the task that the task layer runs here.
func (n *Node) running() (reptask.Task, bool) {
	s := n.peer.State()
	return s.Tasks.Runs()
}

// find asks the first owner of the job which life submitted it, and that life which job it is. If
// one of these lives is over, the attempt comes to nothing: a.at stays nil. The custodians of the
// job submit it again.
func (n *Node) find(a *attempt, then func()) {
	if a.at != nil {
		then()
		return
	}
	wanted := func() bool { return !a.ended }
	fail := func(err error) {
		n.log.Warn("an attempt at a job that nobody knows", "attempt", a.String(), "error", err)
		then()
	}
	job := rpc.OwnedJob{Owner: a.job.Owner, Number: a.job.Number}
	rpc.Client.Ask(n.calls, rpc.Only(job.Owner).While(wanted), job, func(s rpc.Submission, err error) {
		if err != nil {
			fail(err)
			return
		}
		rpc.Order.Ask(n.calls, rpc.Only(s.Entry).While(wanted), s, func(at rpc.Binding, err error) {
			if err != nil {
				fail(err)
				return
			}
			a.at, a.entry = &at, s
			then()
		})
	})
}

// prepare makes the attempt ready to start, and reports to the representative.
func (n *Node) prepare(a *attempt, rep protocol.NodeID) {
	if a.at == nil {
		a.unfit = "the daemon that submitted it has begun another life" // so that a late Go starts nothing
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandHost, Rep: rep})
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandUnfit})
		return
	}
	a.spec, a.jobID = &a.at.Spec, a.at.ID
	n.host.Look(a.spec, func(misfit string, err error) {
		switch {
		case a.ended:
		case misfit != "" || err != nil:
			a.unfit, a.lost = misfit, err != nil
			if a.lost {
				a.unfit = err.Error()
			}
			n.present(a, rep)
		default:
			n.prepareFiles(a, rep)
		}
	})
}

// prepareFiles lays the inputs of a task that can start here, and takes its ports.
func (n *Node) prepareFiles(a *attempt, rep protocol.NodeID) {
	n.layInputs(a, func(err error) {
		if err == nil {
			a.ports, a.frees, err = n.host.Ports()
		}
		if err != nil {
			a.unfit, a.lost = err.Error(), !ofJob(err)
		}
		n.present(a, rep)
	})
}

// present reports to the representative: the task can start, or cannot.
func (n *Node) present(a *attempt, rep protocol.NodeID) {
	n.loop.Command(a.id, muster.Command{Kind: muster.CommandHost, Rep: rep, Ports: a.ports})
	if a.unfit != "" {
		n.reportUnfit(a)
	}
}

// reportUnfit reports that the task of an attempt does not start here, or has not run to its end.
// If that is not the job's fault, this node takes no tasks until it is well again.
func (n *Node) reportUnfit(a *attempt) {
	command := muster.Command{Kind: muster.CommandUnfit}
	if a.lost {
		command.Kind = muster.CommandLost
		n.counts.lost++
		n.log.Warn("a task is lost", "attempt", a.String(), "job", a.jobID, "why", a.unfit)
		n.fitness.noteLoss(a.unfit)
	} else {
		n.counts.unfit++
	}
	report := rpc.UnfitReport{JobAttempt: a.ofJob(), Why: a.unfit}
	rpc.Unfit.Ask(n.calls, a.primary(), report, func(rpc.None, error) { n.loop.Command(a.id, command) })
}

// ofJob reports whether files cannot be laid since the job names them so: no other host could.
func ofJob(err error) bool {
	for _, errno := range []error{unix.ENAMETOOLONG, unix.ENOTDIR, unix.EISDIR, unix.EEXIST, unix.ELOOP} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// represent makes this node the representative in the muster of an attempt that has been decided.
func (n *Node) represent(by protocol.NodeID, epoch uint32) {
	s := n.peer.State()
	i := slices.IndexFunc(s.Tasks.Roles, func(r reptask.Role) bool { return r.By == by && r.Epoch == epoch })
	if i < 0 {
		return
	}
	role := &s.Tasks.Roles[i]
	var hosts []protocol.NodeID
	for _, m := range role.Members {
		hosts = append(hosts, m.Host)
	}
	a := n.attempt(musterID(by, epoch), role.Job)
	n.loop.Command(a.id, muster.Command{Kind: muster.CommandRepresent, Hosts: hosts, HaltOnFailure: haltTask})
}

// over ends the muster of an attempt that the task layer no longer represents here.
func (n *Node) over(by protocol.NodeID, epoch uint32) {
	if a := n.attempts[musterID(by, epoch)]; a != nil && a != n.current {
		n.endAttempt(a)
	}
}

// endAttempt ends the muster of an attempt here.
func (n *Node) endAttempt(a *attempt) {
	if a.ended {
		return
	}
	a.ended = true
	if a.unwanted != nil {
		a.unwanted()
	}
	a.releasePorts() // nothing has started, or has them already
	n.loop.Command(a.id, muster.Command{Kind: muster.CommandEnd})
	n.after(linger, func() { n.drop(a) })
}

// releasePorts gives the ports of a task away that were held for it.
func (a *attempt) releasePorts() {
	if a.frees != nil {
		a.frees()
	}
}

// linger is how long an ended attempt answers repeated messages.
const linger = 5 * time.Second

// drop forgets an attempt of which no process runs.
func (n *Node) drop(a *attempt) {
	if a.proc != nil && !a.exited {
		n.after(linger, func() { n.drop(a) })
		return
	}
	n.removeWork(a)
	delete(n.attempts, a.id)
	n.loop.Remove(a.id)
}

// mustered follows the events of a muster.
func (n *Node) mustered(id driver.CoreID, e protocol.Event) {
	a := n.attempts[id]
	if a == nil {
		return
	}
	switch e.Name {
	case muster.EventPermit:
		n.find(a, func() { n.askPermit(a) })
	case muster.EventGo:
		n.startProcess(a)
	case muster.EventHalt:
		n.endProcess(a, true)
	case muster.EventKeep:
		n.keepOutputs(a)
	case muster.EventOutcome:
		n.find(a, func() { n.deposit(a) })
	case muster.EventFinish:
		n.finish(a)
	}
}

// requestOf names an attempt that is represented here, and its hosts.
func (n *Node) requestOf(a *attempt) rpc.PermitRequest {
	s := a.core.State()
	r := rpc.PermitRequest{JobAttempt: a.ofJob(), Representative: n.self}
	for _, m := range s.Rep.Members {
		r.Hosts = append(r.Hosts, m.Host)
	}
	return r
}

func (n *Node) askPermit(a *attempt) {
	if a.at == nil {
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandPermit})
		return
	}
	rpc.Permit.Ask(n.calls, a.primary(), n.requestOf(a), func(granted bool, err error) {
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandPermit, Granted: granted && err == nil})
	})
}

func (n *Node) deposit(a *attempt) {
	s := a.core.State()
	statuses, reason, ok := s.Outcome()
	if !ok {
		return
	}
	if a.at == nil {
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandDeposited}) // nobody waits for it
		return
	}
	o := rpc.OutcomeReport{PermitRequest: n.requestOf(a)}
	for _, status := range statuses {
		o.Statuses = append(o.Statuses, statusOf(status, reason))
	}
	rpc.Outcome.Ask(n.calls, a.primary(), o, func(_ rpc.None, err error) {
		if err != nil { // no custodian has such a job: nobody waits for the outcome
			n.log.Warn("an outcome that nobody keeps", "job", a.jobID, "error", err)
		}
		n.loop.Command(a.id, muster.Command{Kind: muster.CommandDeposited})
	})
}

// statusOf is a status as users see it.
func statusOf(s muster.Status, reason muster.Reason) jobs.Status {
	status := jobs.Status{Code: int(s.Code), Signal: int(s.Signal), Halted: s.Halted}
	switch s.Cause {
	case muster.Unfit:
		status.Unfit, status.Error = true, "the host cannot start it"
	case muster.Lost:
		status.Lost, status.Error = true, "its host has lost it"
	case muster.Unkept:
		status.Unkept, status.Error = true, "not all outputs could be kept"
	case muster.Unrun:
		status.Halted = true
		if reason == muster.Refused {
			status.Error = "the attempt had no permit"
		}
	case muster.Exited:
	}
	return status
}

// finish ends the task of the task layer: its outcome is safe.
func (n *Node) finish(a *attempt) {
	if task, runs := n.running(); runs && musterID(task.By, task.Epoch) == a.id {
		n.current = nil
		n.loop.Fire(peerID, peer.RunTimer())
		n.after(linger, func() { n.endAttempt(a) })
	}
}

// endTask ends the process of the task that runs: the task layer has dropped the task. What it says
// of that waits until the process has gone.
func (n *Node) endTask() {
	a := n.current
	n.current = nil
	if a == nil {
		n.loop.Stopped()
		return
	}
	n.endAttempt(a)
	if a.proc == nil || a.exited {
		n.processGone(a)
		n.loop.Stopped()
		return
	}
	began := n.clock()
	a.after = func() {
		n.metrics.Killed(n.clock() - began)
		n.loop.Stopped()
	}
	n.endProcess(a, false)
	n.awaitEnd(a, killLooks)
}

// processGone tells the custodians of the job that nothing of the attempt runs here. It is closed
// when all its hosts have said so.
func (n *Node) processGone(a *attempt) {
	if a.gone || a.at == nil {
		return
	}
	a.gone = true
	rpc.Gone.Ask(n.calls, rpc.Primary(a.at.Custodians).Within(time.Hour), a.ofJob(), nil)
}

func (a *attempt) String() string { return attemptText(a.id.By, a.id.Epoch) }
