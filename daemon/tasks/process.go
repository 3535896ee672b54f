package tasks

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/host"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// startProcess starts the process of a task: all hosts are there, and the attempt has the permit.
func (t *Attempts) startProcess(a *Attempt) {
	if a.ended || a.proc != nil || a.unfit != "" {
		return
	}
	process, err := t.Host.Start(t.taskOf(a), func(exit runner.Exit) { t.exited(a, exit) })
	a.releasePorts()
	if err != nil {
		a.unfit, a.lost = err.Error(), true
		t.reportUnfit(a)
		return
	}
	t.Counts.Starts++
	a.proc, a.begun = process, t.Wall()
	begun := rpc.RankReport{JobAttempt: a.ofJob(), Rank: jobs.Rank{Isolation: t.Host.Isolation(), Begin: a.begun}}
	primary := rpc.Primary(a.At.Custodians).Within(failedPatience).While(func() bool { return !a.exited })
	rpc.Rank.Ask(t.Calls, primary, begun, nil)
}

// taskOf is the task of a rank of an attempt, as the host starts it.
func (t *Attempts) taskOf(a *Attempt) host.Task {
	s := a.Core.State()
	var peers strings.Builder
	for rank, p := range s.Host.Places {
		fmt.Fprintf(&peers, "%d %v %s %s\n", rank, p.Host, t.Address(p.Host), joinPorts(p.Ports))
	}
	env := []string{
		"LANG=C.UTF-8",
		"CANVASS_JOB=" + a.jobID, "CANVASS_ATTEMPT=" + a.String(), "CANVASS_RANK=" + strconv.Itoa(int(s.Host.Rank)),
		"CANVASS_SIZE=" + strconv.Itoa(len(s.Host.Places)), "CANVASS_HOST=" + t.Self.String(),
		"CANVASS_PORTS=" + joinPorts(a.ports), "CANVASS_GRID=" + string(t.ID.Grid),
	}
	if a.spec.Index != nil {
		env = append(env, "CANVASS_INDEX="+strconv.Itoa(*a.spec.Index))
	}
	return host.Task{
		Attempt: a.String(), Rank: int(s.Host.Rank), Peers: peers.String(), Reads: a.spec.Stdin != "",
		Task: runner.Task{
			ID: a.jobID, Command: a.spec.Command, Env: append(env, a.spec.Env...),
			OutputLimit: cmp.Or(a.spec.OutputLimit, jobs.OutputLimit), Grace: a.spec.GraceOf(),
			Signal: int(unix.SignalNum("SIG" + cmp.Or(a.spec.Kill.Signal, "TERM"))),
		},
	}
}

func joinPorts(ports []uint16) string {
	var words []string
	for _, p := range ports {
		words = append(words, strconv.Itoa(int(p)))
	}
	return strings.Join(words, ",")
}

// exited takes the end of a process and of all its descendants.
func (t *Attempts) exited(a *Attempt, exit runner.Exit) {
	a.exited = true
	if exit.Error != "" {
		a.unfit, a.lost = fmt.Sprintf("%s on host %v", exit.Error, t.Self), exit.Lost
		if exit.Lost {
			a.unfit = exit.Error // the custodians name the host
			t.dropOutput(a)
		}
		t.reportUnfit(a)
	} else if !a.ended {
		t.passOn(a, exit)
	}
	if a.ended {
		t.processGone(a)
		t.removeWork(a)
	}
	a.over()
}

// dropOutput removes the output of a lost task if the disk has no space for it: the next attempt
// prints it again.
func (t *Attempts) dropOutput(a *Attempt) {
	if t.Host.Ails() == "" {
		return
	}
	if err := t.Host.Forget(a.String()); err != nil {
		t.Log.Warn("the output of a lost task stays", "attempt", a.String(), "error", err)
	}
}

// over does, once, the work that waits for the end of all processes of an attempt.
func (a *Attempt) over() {
	if after := a.after; after != nil {
		a.after = nil
		after()
	}
}

// passOn reports the end of a process: first to the custodians of the job, then to the muster.
func (t *Attempts) passOn(a *Attempt, exit runner.Exit) {
	t.Fitness.noteEnd()
	end := t.Wall()
	told := jobs.Rank{Isolation: t.Host.Isolation(), Begin: a.begun, End: &end, OOM: exit.OOM}
	failed := exit.Code != 0
	if failed {
		told.Stderr = t.Host.LastLines(a.String())
	}
	ends := muster.Command{Kind: muster.CommandExited, Code: uint32(exit.Code), Signal: uint8(exit.Signal)}
	if exit.Signal > 0 {
		ends.Code = 0
	}
	if len(a.spec.Outputs) > 0 {
		a.Told, ends.Kind = told, muster.CommandKeep
		t.Loop.Command(a.ID, ends)
		return
	}
	t.tellRank(a, told, failed, func() {
		t.removeWork(a)
		t.Loop.Command(a.ID, ends)
	})
}

// killLimit is how long a killed process may take to be gone, with all its descendants. Messages of
// the task layer meanwhile wait and grow old: with the three seconds that a message may be under
// way, the cores rely on five.
const (
	killLimit = 2 * time.Second
	killLooks = 4 // a daemon that is stopped for a while misses one of them, and no more
)

// awaitEnd ends the incarnation if a killed process is not gone after some looks: it waits in the
// kernel, for a disk or a network that does not answer. It executes no more of its code. But as
// long as this incarnation lasts, others wait for its end. If only its output is not complete, they
// need not wait.
func (t *Attempts) awaitEnd(a *Attempt, looks int) {
	switch {
	case a.exited:
		return
	case a.proc.Gone():
		a.over()
		return
	case looks == 0:
		t.Fail(t.Fenced(life.FenceUnkillable, fmt.Sprintf("unkillable: attempt %v at job %s has not ended %v after SIGKILL; "+
			"ps shows its processes in state D, and the calls that they wait in", a, a.jobID, killLimit)))
		return
	case looks == killLooks/2:
		t.unkillable(a)
	}
	t.After(killLimit/killLooks, func() { t.awaitEnd(a, looks-1) })
}

// unkillable notifies users that a process does not end, while there is time.
func (t *Attempts) unkillable(a *Attempt) {
	t.Log.Warn("unkillable: a process does not end", "attempt", a.String(), "job", a.jobID, "since", killLimit/2)
	t.Say(api.Event{
		At: t.Wall(), Node: t.Self, Kind: api.MusterEvent, Job: a.jobID,
		Text: fmt.Sprintf("%v unkillable: %v after SIGKILL it has not ended", a, killLimit/2),
	})
}

// endProcess ends the process of an attempt, if it runs.
func (t *Attempts) endProcess(a *Attempt, grace bool) {
	if a.isRunning() {
		t.Counts.Kills++
		a.proc.Kill(grace)
	}
}

// OpenOutputs lists the attempts of which a process runs here.
func (t *Attempts) OpenOutputs() (open []string) {
	for _, a := range t.All {
		if a.isRunning() {
			open = append(open, a.String())
		}
	}
	return open
}

// AnswerHolds reports whether this host has an attempt, and since when it runs.
func (t *Attempts) AnswerHolds(_ protocol.NodeID, name rpc.AttemptName) (rpc.Holding, error) {
	a := t.All[life.MusterID(name.By, name.Epoch)]
	if a == nil || a.ended && !a.isRunning() {
		return rpc.Holding{}, nil
	}
	held := rpc.Holding{Holds: true}
	if a.isRunning() {
		held.Told = jobs.Rank{Isolation: t.Host.Isolation(), Begin: a.begun}
	}
	return held, nil
}

// AnswerHalt ends the tasks of an attempt with the grace period of their job.
func (t *Attempts) AnswerHalt(_ protocol.NodeID, h rpc.AttemptName) (rpc.None, error) {
	if a := t.All[life.MusterID(h.By, h.Epoch)]; a != nil {
		t.Loop.Command(a.ID, muster.Command{Kind: muster.CommandHalt, Reason: muster.Cancelled})
	}
	return rpc.None{}, nil
}

// Doing is the stage of this host's task, once its job is known.
func (t *Attempts) Doing() *api.Doing {
	a := t.current
	if a == nil || a.jobID == "" {
		return nil
	}
	s := a.Core.State()
	d := &api.Doing{
		Job: a.jobID, Attempt: a.String(), Copied: a.inputs.Copied.Load(), Placed: a.inputs.Laid.Load(),
		Inputs: a.inputs.Size,
	}
	for _, f := range a.Told.Outputs {
		d.Outputs += f.Size
	}
	switch {
	case a.proc == nil && s.Host.Phase == muster.HostAbsent:
		d.Stage = api.StageCopies
	case a.proc == nil:
		d.Stage = api.StageReady
	case !a.exited && s.Host.Halted != 0:
		d.Stage = api.StageEnds
	case !a.exited:
		d.Stage = api.StageRuns
	case s.Host.Phase == muster.HostKeeping:
		d.Stage = api.StageOutputs
	default:
		d.Stage = api.StageOver
	}
	return d
}
