package tasks

import (
	"errors"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/library"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
	"github.com/canvass-grid/canvass/protocol/peer"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Attempt is an attempt of which this node is host or representative, or both.
type Attempt struct {
	ID   driver.CoreID
	job  reptask.Job
	Core *musterInstance

	At     *rpc.Binding   // its job, once that is known
	entry  rpc.Submission // and by which submission
	spec   *jobs.Spec     // at a host
	jobID  string
	ended  bool   // by the task layer: nothing may start here
	gone   bool   // and the custodians of the job know
	unfit  string // why nothing may start here
	lost   bool   // for a reason of this host, not of the job
	ports  []uint16
	frees  func() // gives the ports to the process; nil: no ports are held
	proc   host.Process
	exited bool
	laying bool      // files are put into its working folder, or read there
	Told   jobs.Rank // of a task that has ended, while its outputs are being kept

	unwanted func() // ends the walk through its outputs; nil: no walk

	inputs library.Progress // of the copy of its inputs
	begun  time.Time
	after  func() // to do once the process has ended; nil: nothing
}

// isRunning reports whether some process of the attempt has not ended yet.
func (a *Attempt) isRunning() bool { return a.proc != nil && !a.exited }

func (a *Attempt) name() rpc.AttemptName { return rpc.AttemptName{By: a.ID.By, Epoch: a.ID.Epoch} }

// ofJob names an attempt that is bound.
func (a *Attempt) ofJob() rpc.JobAttempt {
	return rpc.JobAttempt{AttemptName: a.name(), Job: a.At.Job, Try: a.At.Try, Ticket: a.entry.Number}
}

// primary is the custodian that decides about the job of an attempt that is bound, for questions
// about it until the attempt has ended.
func (a *Attempt) primary() rpc.Target {
	return rpc.Primary(a.At.Custodians).While(func() bool { return !a.ended })
}

type musterInstance = driver.Instance[muster.State, muster.Message, muster.Command]

// haltTask ends all ranks of a job when one has failed.
const haltTask = true

// Attempts are those of which this node is host or representative.
type Attempts struct {
	*life.Runtime
	*config.Settings
	Library *library.Library
	Fitness *Fitness
	Address func(protocol.NodeID) string // of the machine of a node
	Say     func(api.Event)              // to users

	All     map[driver.CoreID]*Attempt
	current *Attempt // whose task runs here
	Counts  Counts
}

// Counts are the counters of a node's tasks. Nothing that the node does depends on them.
type Counts struct{ Starts, Unfit, Lost, Kills uint64 }

// JobOf is the job of an attempt, if it is known.
func (t *Attempts) JobOf(id driver.CoreID) (job string) {
	if a := t.All[id]; a != nil {
		job = a.jobID
	}
	return job
}

// get returns the attempt of a name, and creates it if missing.
func (t *Attempts) get(id driver.CoreID, job reptask.Job) *Attempt {
	if a := t.All[id]; a != nil {
		return a
	}
	a := &Attempt{ID: id, job: job}
	traits := driver.Traits[muster.State, muster.Message]{
		Self: func(muster.State) protocol.NodeID { return t.Self },
	}
	core := &muster.Core{Config: t.Config.Grid.Muster()}
	a.Core = driver.Add(t.Loop, id, core, traits, muster.New(t.Self), nil)
	t.All[id] = a
	return a
}

// OnPeer follows the events of the peer core.
func (t *Attempts) OnPeer(_ driver.CoreID, e protocol.Event) {
	switch e.Name {
	case life.TaskEvent(reptask.EventStart):
		t.startTask(e.Peer, e.Number)
	case life.TaskEvent(reptask.EventDecide):
		t.represent(e.Peer, e.Number)
	case life.TaskEvent(reptask.EventResign), life.TaskEvent(reptask.EventSettled):
		t.over(e.Peer, e.Number)
	}
}

// startTask makes this node a host: the task layer runs the task of an attempt.
func (t *Attempts) startTask(by protocol.NodeID, epoch uint32) {
	task, runs := t.running()
	if !runs || task.By != by || task.Epoch != epoch {
		return
	}
	a := t.get(life.MusterID(by, epoch), task.Job)
	t.current = a
	t.find(a, func() { t.prepare(a, task.Rep) })
}

// running is the task that the task layer runs here.
func (t *Attempts) running() (reptask.Task, bool) {
	s := t.Peer.State()
	return s.Tasks.Runs()
}

// find asks the first owner of the job which incarnation submitted it, and that incarnation which
// job it is. If one of the two has ended, a.At stays nil and the attempt is abandoned: the
// custodians of the job submit it again.
func (t *Attempts) find(a *Attempt, then func()) {
	if a.At != nil {
		then()
		return
	}
	wanted := func() bool { return !a.ended }
	fail := func(err error) {
		t.Log.Warn("the job of an attempt is unknown", "attempt", a.String(), "error", err)
		then()
	}
	job := rpc.OwnedJob{Owner: a.job.Owner, Number: a.job.Number}
	rpc.Client.Ask(t.Calls, rpc.Only(job.Owner).While(wanted), job, func(s rpc.Submission, err error) {
		if err != nil {
			fail(err)
			return
		}
		rpc.Order.Ask(t.Calls, rpc.Only(s.Entry).While(wanted), s, func(at rpc.Binding, err error) {
			if err != nil {
				fail(err)
				return
			}
			a.At, a.entry = &at, s
			then()
		})
	})
}

// prepare makes the attempt ready to start, and reports to the representative.
func (t *Attempts) prepare(a *Attempt, rep protocol.NodeID) {
	if a.At == nil {
		a.unfit = "the daemon that submitted it has restarted" // so that a late Go starts nothing
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandHost, Rep: rep})
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandUnfit})
		return
	}
	a.spec, a.jobID = &a.At.Spec, a.At.ID
	t.Host.Look(a.spec, func(misfit string, err error) {
		switch {
		case a.ended:
		case misfit != "" || err != nil:
			a.unfit, a.lost = misfit, err != nil
			if a.lost {
				a.unfit = err.Error()
			}
			t.present(a, rep)
		default:
			t.prepareFiles(a, rep)
		}
	})
}

// prepareFiles lays the inputs of a task that can start here, and takes its ports.
func (t *Attempts) prepareFiles(a *Attempt, rep protocol.NodeID) {
	t.layInputs(a, func(err error) {
		if err == nil {
			a.ports, a.frees, err = t.Host.Ports()
		}
		if err != nil {
			a.unfit, a.lost = err.Error(), !isFaultOfJob(err)
		}
		t.present(a, rep)
	})
}

// present reports to the representative: the task can start, or cannot.
func (t *Attempts) present(a *Attempt, rep protocol.NodeID) {
	t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandHost, Rep: rep, Ports: a.ports})
	if a.unfit != "" {
		t.reportUnfit(a)
	}
}

// reportUnfit reports that the task of an attempt does not start here, or has not run to its end.
// If that is not the job's fault, this node takes no tasks until it is well again.
func (t *Attempts) reportUnfit(a *Attempt) {
	command := muster.Command{Kind: muster.CommandUnfit}
	if a.lost {
		command.Kind = muster.CommandLost
		t.Counts.Lost++
		t.Log.Warn("a task is lost", "attempt", a.String(), "job", a.jobID, "why", a.unfit)
		t.Fitness.noteLoss(a.unfit)
	} else {
		t.Counts.Unfit++
	}
	report := rpc.UnfitReport{JobAttempt: a.ofJob(), Why: a.unfit}
	rpc.Unfit.Ask(t.Calls, a.primary(), report, func(rpc.None, error) { t.Loop.Command(a.ID, command) })
}

// isFaultOfJob reports whether files cannot be laid because of their names in the job: no other
// host could lay them either.
func isFaultOfJob(err error) bool {
	for _, errno := range []error{unix.ENAMETOOLONG, unix.ENOTDIR, unix.EISDIR, unix.EEXIST, unix.ELOOP} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// represent makes this node the representative in the muster of an attempt that has been decided.
func (t *Attempts) represent(by protocol.NodeID, epoch uint32) {
	s := t.Peer.State()
	i := slices.IndexFunc(s.Tasks.Roles, func(r reptask.Role) bool { return r.By == by && r.Epoch == epoch })
	if i < 0 {
		return
	}
	role := &s.Tasks.Roles[i]
	var hosts []protocol.NodeID
	for _, m := range role.Members {
		hosts = append(hosts, m.Host)
	}
	a := t.get(life.MusterID(by, epoch), role.Job)
	t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandRepresent, Hosts: hosts, HaltOnFailure: haltTask})
}

// over ends the muster of an attempt that the task layer no longer represents here.
func (t *Attempts) over(by protocol.NodeID, epoch uint32) {
	if a := t.All[life.MusterID(by, epoch)]; a != nil && a != t.current {
		t.endAttempt(a)
	}
}

// endAttempt ends the muster of an attempt here.
func (t *Attempts) endAttempt(a *Attempt) {
	if a.ended {
		return
	}
	a.ended = true
	if a.unwanted != nil {
		a.unwanted()
	}
	a.releasePorts() // nothing has started, or has them already
	t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandEnd})
	t.After(linger, func() { t.drop(a) })
}

// releasePorts releases the ports that were held for a task.
func (a *Attempt) releasePorts() {
	if a.frees != nil {
		a.frees()
	}
}

// linger is how long an ended attempt answers repeated messages.
const linger = 5 * time.Second

// drop forgets an attempt of which no process runs.
func (t *Attempts) drop(a *Attempt) {
	if a.isRunning() {
		t.After(linger, func() { t.drop(a) })
		return
	}
	t.removeWork(a)
	delete(t.All, a.ID)
	t.Loop.Remove(a.ID)
}

// OnMuster follows the events of a muster.
func (t *Attempts) OnMuster(id driver.CoreID, e protocol.Event) {
	a := t.All[id]
	if a == nil {
		return
	}
	switch e.Name {
	case muster.EventPermit:
		t.find(a, func() { t.askPermit(a) })
	case muster.EventGo:
		t.startProcess(a)
	case muster.EventHalt:
		t.endProcess(a, true)
	case muster.EventKeep:
		t.keepOutputs(a)
	case muster.EventOutcome:
		t.find(a, func() { t.Deposit(a) })
	case muster.EventFinish:
		t.Finish(a)
	}
}

// requestOf names an attempt that is represented here, and its hosts.
func (t *Attempts) requestOf(a *Attempt) rpc.PermitRequest {
	s := a.Core.State()
	r := rpc.PermitRequest{JobAttempt: a.ofJob(), Representative: t.Self}
	for _, m := range s.Rep.Members {
		r.Hosts = append(r.Hosts, m.Host)
	}
	return r
}

func (t *Attempts) askPermit(a *Attempt) {
	if a.At == nil {
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandPermit})
		return
	}
	rpc.Permit.Ask(t.Calls, a.primary(), t.requestOf(a), func(granted bool, err error) {
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandPermit, Granted: granted && err == nil})
	})
}

// Deposit reports the statuses of an attempt that is represented here to the custodians of its job.
func (t *Attempts) Deposit(a *Attempt) {
	s := a.Core.State()
	statuses, reason, ok := s.Outcome()
	if !ok {
		return
	}
	if a.At == nil {
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandDeposited}) // no custodian waits for it
		return
	}
	o := rpc.OutcomeReport{PermitRequest: t.requestOf(a)}
	for _, status := range statuses {
		o.Statuses = append(o.Statuses, statusOf(status, reason))
	}
	rpc.Outcome.Ask(t.Calls, a.primary(), o, func(_ rpc.None, err error) {
		if err != nil { // no custodian has the job: no user waits for the outcome
			t.Log.Warn("no custodian accepted the outcome", "job", a.jobID, "error", err)
		}
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandDeposited})
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

// Finish ends the task of the task layer: its outcome is safe.
func (t *Attempts) Finish(a *Attempt) {
	if task, runs := t.running(); runs && life.MusterID(task.By, task.Epoch) == a.ID {
		t.current = nil
		t.Loop.Fire(life.PeerID, peer.RunTimer())
		t.After(linger, func() { t.endAttempt(a) })
	}
}

// EndTask ends the process of the task that runs: the task layer has dropped the task. Its messages
// about that wait until the process has gone.
func (t *Attempts) EndTask() {
	a := t.current
	t.current = nil
	if a == nil {
		t.Loop.Stopped()
		return
	}
	t.endAttempt(a)
	if !a.isRunning() {
		t.processGone(a)
		t.Loop.Stopped()
		return
	}
	began := t.Clock()
	a.after = func() {
		t.Meter.Killed(t.Clock() - began)
		t.Loop.Stopped()
	}
	t.endProcess(a, false)
	t.awaitEnd(a, killLooks)
}

// processGone notifies the custodians of the job that nothing of the attempt runs here. The attempt
// is closed after the notices of all its hosts.
func (t *Attempts) processGone(a *Attempt) {
	if a.gone || a.At == nil {
		return
	}
	a.gone = true
	rpc.Gone.Ask(t.Calls, rpc.Primary(a.At.Custodians).Within(time.Hour), a.ofJob(), nil)
}

func (a *Attempt) String() string { return life.AttemptText(a.ID.By, a.ID.Epoch) }
