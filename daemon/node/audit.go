package node

import (
	"slices"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
)

const (
	// auditEvery is how often a daemon looks whether nodes that its jobs need have died.
	auditEvery = time.Second

	// blankAge is how long a custodian waits for the record of a job that it was asked to keep.
	blankAge = 10 * time.Minute
)

// auditor goes on with jobs whose custodians, hosts or owners have died.
type auditor struct {
	*life.Runtime
	grid     *member.Members
	jobs     custodians
	keptJobs map[driver.CoreID]*keptJob
	turns    turns
	fitness  *tasks.Fitness
	tidy     func()

	restlessJobs int // at the last look
}

// turns is the auditor's view of submissions.
type turns interface {
	ownerOf(k *keptJob) protocol.NodeID // of a job that waits in the grid
	nodeDied(id protocol.NodeID)
	resize(nodes int)
}

// look goes on with jobs whose custodians, hosts or owners have died. The witnesses are asked
// about those of which nothing is known.
func (a *auditor) look() {
	a.fitness.Look()
	if a.Restored {
		for _, r := range a.Table.Live() {
			if k := a.jobs.keptJobOf(r); !a.isBlank(k) {
				a.inspect(k)
			}
		}
		restless := a.restless()
		a.restlessJobs = len(restless)
		for _, k := range restless {
			a.inspectCustodians(k)
		}
		a.tidy()
		a.turns.resize(len(a.grid.Alive()) + 1)
	}
	a.After(auditEvery, a.look)
}

// restless returns the kept jobs that have ended, and about which this node still asks other
// custodians, the oldest first. It asks an incarnation that was lost until it has learned of its
// death.
func (a *auditor) restless() (all []*keptJob) {
	for _, k := range a.keptJobs {
		if s, begun := k.state(); begun && k.record.State.Final() && len(s.Timers()) > 0 {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(k, l *keptJob) int { return jobs.Older(k.record, l.record) })
	return all
}

// isBlank reports whether a job was dropped that the daemon which takes it has not accepted for a
// long time: that daemon has not come back, or does not answer.
func (a *auditor) isBlank(k *keptJob) bool {
	if !a.waitsForRecord(k) {
		return false
	}
	if a.Clock()-k.seen > blankAge {
		a.dropBlank(k)
		return true
	}
	a.askTaker(k)
	return false
}

// waitsForRecord reports whether this custodian was asked to keep a job that another one takes, and
// has no record of it yet.
func (a *auditor) waitsForRecord(k *keptJob) bool {
	s, begun := k.state()
	return begun && s.Disk.View.Number == 0 && s.Custodians[0] != a.Self.Address && s.Wanted == 0
}

func (a *auditor) dropBlank(k *keptJob) {
	a.jobs.dropKeptJob(k)
	a.Table.Remove(k.record)
}

// takesEvery is how often the daemon that takes a job is asked whether it still does.
const takesEvery = 5 * time.Second

// askTaker asks the daemon that takes a job whether it still does. A later life of it has dropped
// the job if nothing of it was decided, and may never send word of that: this custodian can have
// its copy from another one. Only the daemon that has given the name can know.
func (a *auditor) askTaker(k *keptJob) {
	r := k.record
	if a.Clock() < k.askedTaker+takesEvery || r.Parent != "" {
		return
	}
	k.askedTaker = a.Clock()
	same := func() bool { return a.jobs.keptJobNow(k.record.Custody) == k && a.waitsForRecord(k) }
	taker := protocol.NodeID{Address: r.Custody.By.Address}
	rpc.Takes.Ask(a.Calls, rpc.Daemon(taker).Within(takesEvery).While(same), r.Custody, func(takes bool, err error) {
		if err == nil && !takes && same() {
			a.Log.Info("dropping a job that its taker has dropped", "job", r.ID, "taken by", taker.String())
			a.dropBlank(k)
		}
	})
}

// answerTakes says whether this daemon has a job that it has given this name.
func (a *auditor) answerTakes(_ protocol.NodeID, name jobs.Name) (bool, error) {
	if !a.Restored {
		return false, rpc.ErrLater
	}
	return a.Table.Named(name) != nil, nil
}

func (a *auditor) inspect(k *keptJob) {
	if !a.inspectCustodians(k) {
		return
	}
	r := k.record
	switch open := r.Open(); {
	case r.Spec.Array != nil:
	case open != nil:
		for _, host := range open.Hosts {
			if !a.grid.IsDead(host) {
				a.grid.Suspect(host)
			}
		}
		a.askHosts(k)
	default:
		a.inspectOwner(a.turns.ownerOf(k))
	}
}

// inspectOwner asks about the owner of a job that waits in the grid.
func (a *auditor) inspectOwner(owner protocol.NodeID) {
	switch {
	case owner.IsNobody():
	case a.grid.IsDead(owner):
		a.turns.nodeDied(owner) // a later life of it has begun, or it was dead when it reported itself
	default:
		a.grid.Suspect(owner)
	}
}

// holdsEvery is how often the hosts of an attempt are asked whether they hold it.
const holdsEvery = 5 * time.Second

// askHosts asks the hosts of an attempt with a permit whether they hold it. All of them did when
// they asked for the permit. So the attempt is over at a host that does not, even if its report was
// lost.
func (a *auditor) askHosts(k *keptJob) {
	if a.Clock() < k.askedHosts+holdsEvery {
		return
	}
	k.askedHosts = a.Clock()
	c := k.decided()
	name := rpc.AttemptName{By: c.Attempt.By, Epoch: c.Attempt.Epoch}
	same := func() bool { return k.leads() && k.decided().Attempt == c.Attempt }
	for _, host := range c.Hosts {
		rpc.Holds.Ask(a.Calls, rpc.Daemon(host).Within(holdsEvery).While(same), name, func(held rpc.Holding, err error) {
			switch {
			case err != nil:
			case !held.Holds:
				a.jobs.close(k, c.Try, c.Attempt, host)
			default:
				a.hostHolds(k, host, held)
			}
		})
	}
}

// hostHolds notes what a host reports of its task, unless the record has it: the custodian that had
// it may have died with it.
func (a *auditor) hostHolds(k *keptJob, host protocol.NodeID, held rpc.Holding) {
	open := k.record.Open()
	if open == nil || held.Told.Begin.IsZero() {
		return
	}
	rank := slices.Index(open.Hosts, host)
	if rank >= 0 && (rank >= len(open.Ranks) || open.Ranks[rank].Begin.IsZero()) {
		a.Table.Tell(k.record, open.By, open.Epoch, rank, held.Told)
	}
}

// inspectCustodians asks about the other custodians for which this one waits. It reports whether
// this one decides about the job.
func (a *auditor) inspectCustodians(k *keptJob) (leads bool) {
	s, begun := k.state()
	if !begun {
		return false
	}
	a.jobs.press(k)
	if !s.Leads() {
		a.suspectCustodians(&s)
		return false
	}
	for i, id := range s.Disk.View.Members {
		if i >= len(s.Primary.Acked) || !s.Primary.Acked[i] {
			a.grid.Suspect(id)
		}
	}
	return true
}

// suspectCustodians asks about the custodian that leads, and about those for which it waits. It
// suspects only incarnations that have had a lease: those that have sent messages as custodians, or
// that a witness has named.
func (a *auditor) suspectCustodians(s *custody.State) {
	awaited := append(s.WaitsFor(), s.Leader().Address)
	for i, custodian := range s.Custodians {
		life := protocol.NodeID{Address: custodian, Incarnation: max(s.Lives[i].Known, a.grid.Witnessed(custodian))}
		switch {
		case custodian == a.Self.Address || !slices.Contains(awaited, custodian):
		case life.Incarnation == 0, a.grid.IsDead(life):
			a.grid.Inquire(custodian) // a later life may have had a lease, and have been lost
		default:
			a.grid.Suspect(life)
		}
	}
}

// answerLife is the latest incarnation of a node to which this witness has granted a lease, or that
// it has condemned.
func (a *auditor) answerLife(_ protocol.NodeID, of protocol.Address) (uint16, error) {
	for _, l := range a.Lease.State().Witness.Lives {
		if l.Address == of {
			return max(l.Incarnation, l.Condemned), nil
		}
	}
	return 0, nil
}

// onDeath resumes jobs that waited for the dead node, or that may have been lost with it on their
// way to an owner.
func (a *auditor) onDeath(id protocol.NodeID) {
	if !a.Restored {
		return
	}
	for _, r := range a.Table.Live() {
		a.jobs.press(a.jobs.keptJobOf(r))
	}
	a.turns.nodeDied(id)
}
