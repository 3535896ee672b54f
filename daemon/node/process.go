package node

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
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/runner"
	"github.com/canvass-grid/canvass/protocol/muster"
)

// startProcess starts the process of a task: all hosts are there, and the attempt has the permit.
func (n *Node) startProcess(a *attempt) {
	if a.ended || a.proc != nil || a.unfit != "" {
		return
	}
	process, err := n.host.Start(n.taskOf(a), func(exit runner.Exit) { n.exited(a, exit) })
	a.releasePorts()
	if err != nil {
		a.unfit, a.lost = err.Error(), true
		n.reportUnfit(a)
		return
	}
	n.counts.starts++
	a.proc, a.begun = process, n.wall()
	begun := rpc.RankReport{JobAttempt: a.ofJob(), Rank: jobs.Rank{Isolation: n.host.Isolation(), Begin: a.begun}}
	primary := rpc.Primary(a.at.Custodians).Within(failedPatience).While(func() bool { return !a.exited })
	rpc.Rank.Ask(n.calls, primary, begun, nil)
}

// taskOf is the task of a rank of an attempt, as the host starts it.
func (n *Node) taskOf(a *attempt) host.Task {
	s := a.core.State()
	var peers strings.Builder
	for rank, p := range s.Host.Places {
		fmt.Fprintf(&peers, "%d %v %s %s\n", rank, p.Host, n.machineOf(p.Host), joinPorts(p.Ports))
	}
	env := []string{
		"LANG=C.UTF-8",
		"CANVASS_JOB=" + a.jobID, "CANVASS_ATTEMPT=" + a.String(), "CANVASS_RANK=" + strconv.Itoa(int(s.Host.Rank)),
		"CANVASS_SIZE=" + strconv.Itoa(len(s.Host.Places)), "CANVASS_HOST=" + n.self.String(),
		"CANVASS_PORTS=" + joinPorts(a.ports), "CANVASS_GRID=" + string(n.id.Grid),
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

// exited takes the end of a process and of all that it has started.
func (n *Node) exited(a *attempt, exit runner.Exit) {
	a.exited = true
	if exit.Error != "" {
		a.unfit, a.lost = fmt.Sprintf("%s on host %v", exit.Error, n.self), exit.Lost
		if exit.Lost {
			a.unfit = exit.Error // the custodians name the host
			n.dropOutput(a)
		}
		n.reportUnfit(a)
	} else if !a.ended {
		n.passOn(a, exit)
	}
	if a.ended {
		n.processGone(a)
		n.removeWork(a)
	}
	a.over()
}

// dropOutput removes what a lost task has printed, if the disk has no space for it: the next
// attempt prints it again.
func (n *Node) dropOutput(a *attempt) {
	if n.host.Ails() == "" {
		return
	}
	if err := n.host.Forget(a.String()); err != nil {
		n.log.Warn("the output of a lost task stays", "attempt", a.String(), "error", err)
	}
}

// over does, once, what waits for the end of all that the process of an attempt has started.
func (a *attempt) over() {
	if after := a.after; after != nil {
		a.after = nil
		after()
	}
}

// passOn tells of the end of a process: first the custodians of the job, then the muster.
func (n *Node) passOn(a *attempt, exit runner.Exit) {
	n.fitness.noteEnd()
	end := n.wall()
	told := jobs.Rank{Isolation: n.host.Isolation(), Begin: a.begun, End: &end, OOM: exit.OOM}
	failed := exit.Code != 0
	if failed {
		told.Stderr = n.host.LastLines(a.String())
	}
	ends := muster.Command{Kind: muster.CommandExited, Code: uint32(exit.Code), Signal: uint8(exit.Signal)}
	if exit.Signal > 0 {
		ends.Code = 0
	}
	if len(a.spec.Outputs) > 0 {
		a.told, ends.Kind = told, muster.CommandKeep
		n.loop.Command(a.id, ends)
		return
	}
	n.tellRank(a, told, failed, func() {
		n.removeWork(a)
		n.loop.Command(a.id, ends)
	})
}

// killLimit is how long a process that is killed may take to be gone, with all that it has started.
// What the task layer sends meanwhile waits and grows old: with the three seconds that a message
// may be under way, the cores rely on five.
const (
	killLimit = 2 * time.Second
	killLooks = 4 // a daemon that is stopped for a while misses one of them, and no more
)

// awaitEnd ends the life if a process that was killed is not gone after some looks: it waits in the
// kernel, for a disk or a network that does not answer. It runs nothing of its own any more. But as
// long as this life lasts, others wait for its end. If only its output is not complete, they need
// not wait.
func (n *Node) awaitEnd(a *attempt, looks int) {
	switch {
	case a.exited:
		return
	case a.proc.Gone():
		a.over()
		return
	case looks == 0:
		n.fail(n.fenced(fenceUnkillable, fmt.Sprintf("unkillable: attempt %v at job %s has not ended %v after SIGKILL; "+
			"ps shows its processes in state D, and what they wait for", a, a.jobID, killLimit)))
		return
	case looks == killLooks/2:
		n.unkillable(a)
	}
	n.after(killLimit/killLooks, func() { n.awaitEnd(a, looks-1) })
}

// unkillable tells people that a process does not end, while there is time.
func (n *Node) unkillable(a *attempt) {
	n.log.Warn("unkillable: a process does not end", "attempt", a.String(), "job", a.jobID, "since", killLimit/2)
	n.events.add(api.Event{
		At: n.wall(), Node: n.self, Kind: api.MusterEvent, Job: a.jobID,
		Text: fmt.Sprintf("%v unkillable: %v after SIGKILL it has not ended", a, killLimit/2),
	})
}

// endProcess ends the process of an attempt, if it runs.
func (n *Node) endProcess(a *attempt, grace bool) {
	if a.proc != nil && !a.exited {
		n.counts.kills++
		a.proc.Kill(grace)
	}
}

// openOutputs are the attempts of which a process runs here.
func (n *Node) openOutputs() (open []string) {
	for _, a := range n.attempts {
		if a.proc != nil && !a.exited {
			open = append(open, a.String())
		}
	}
	return open
}
