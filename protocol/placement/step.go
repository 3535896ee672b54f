package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Input and Output are the contract's types for this core.
type (
	Input  = protocol.Input[Message, Command]
	Output = protocol.Output[Message]
)

// Step answers an input with the next state and the effects that the driver must carry out. It is
// pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s}
	n.Jobs = slices.Clone(s.Jobs)
	n.Turns = max(n.Turns, cfg.TurnsLeast)
	switch in.Kind {
	case protocol.Start:
	case protocol.Restart: // the custodians say what is to be submitted in this life
		n.State = State{Self: s.Self, Turns: cfg.TurnsLeast}
	case protocol.Command:
		n.command(in.Command)
	case protocol.Timeout:
		n.timeout(in.Timer)
	default:
		n.ignored(0, "no such input")
	}
	n.giveTurns()
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
	changed []uint32 // numbers of the jobs that the step has changed
}

// change returns a job of the list, to be modified before the next call. Its timer begins again.
func (n *node) change(number uint32) *Job {
	part, i, _ := n.Jobs.find(number)
	n.changed = append(n.changed, number)
	return n.Jobs.own(part, i)
}

// submitted returns the job whose submission waits in the grid under a ticket, as change does.
func (n *node) submitted(ticket uint32) *Job {
	j := n.Of(ticket)
	if j == nil || j.Phase != Placed {
		n.ignored(ticket, "no submission waits with this ticket")
		return nil
	}
	return n.change(j.Number)
}

func (n *node) command(c Command) {
	switch c.Kind {
	case CommandWants:
		n.wants(c)
	case CommandPermitted:
		n.permitted(c)
	case CommandStop:
		n.stop(c.Job)
	case CommandDrop:
		n.drop(c.Job)
	case CommandOwned:
		n.owned(c.Ticket, c.Node)
	case CommandLost:
		n.lost(c.Ticket)
	case CommandEnded:
		n.ended(c.Ticket)
	case CommandDead:
		n.dead(c.Node)
	case CommandTurns:
		n.Turns = max(n.cfg.TurnsLeast, c.Turns)
	default:
		n.ignored(0, "no such command")
	}
}

// wants puts a job in line for its next try, at once or after a pause.
func (n *node) wants(c Command) {
	part, i, found := n.Jobs.find(c.Job)
	j := n.Job(c.Job)
	switch {
	case c.Try == 0 || !found && n.Jobs.Len() >= n.cfg.JobLimit:
		n.ignored(c.Job, "no such try, or too many jobs")
		return
	case found && (c.Try < j.Try || c.Try == j.Try && j.Phase != Stopped):
		n.ignored(c.Job, "this try is known")
		return
	case !found:
		n.Jobs = n.Jobs.insert(part, i, Job{Number: c.Job})
	}
	j = n.change(c.Job)
	n.revoke(j)
	*j = Job{Number: c.Job, Try: c.Try, Stamp: c.Stamp}
	if c.Rest > 0 {
		n.rest(j, min(c.Rest, n.cfg.RestMax), Retries)
		return
	}
	n.queue(j)
}

// permitted ends the wait of a job: an attempt of one of its submissions has the permit. If that is
// not the latest, the latest is of no use.
func (n *node) permitted(c Command) {
	j := n.Job(c.Job)
	if j == nil || j.Phase == Running {
		n.ignored(c.Job, "no such job, or it runs")
		return
	}
	j = n.change(c.Job)
	if j.Ticket != c.Ticket {
		n.revoke(j)
		j.Ticket, j.Owner = c.Ticket, protocol.NodeID{}
	}
	j.Searches = 0
	j.enter(Running)
}

// stop ends the wait or the run of a job.
func (n *node) stop(number uint32) {
	j := n.Job(number)
	if j == nil || j.Phase == Stopped {
		n.ignored(number, "no such job, or it is stopped")
		return
	}
	j = n.change(number)
	n.revoke(j)
	j.Searches = 0
	j.enter(Stopped)
}

// drop forgets a job. The one that decides about it submits it again.
func (n *node) drop(number uint32) {
	part, i, found := n.Jobs.find(number)
	if !found {
		n.ignored(number, "no such job")
		return
	}
	n.Jobs = n.Jobs.remove(part, i)
	n.changed = append(n.changed, number)
}

// owned notes the owner of a submission, or has the owner cancel a submission of an old ticket.
func (n *node) owned(ticket uint32, owner protocol.NodeID) {
	j := n.Of(ticket)
	switch {
	case j == nil && ticket <= n.Ticket:
		n.Event(EventRevoke, owner, ticket, "")
	case j == nil || !j.Owner.IsNobody():
		n.ignored(ticket, "no such ticket, or its owner is known")
	default:
		n.change(j.Number).Owner = owner
		n.Event(EventOwned, owner, ticket, "")
	}
}

// lost handles a search in vain: the job rests, longer each time, and gives up its turn.
func (n *node) lost(ticket uint32) {
	if j := n.submitted(ticket); j != nil {
		n.inVain(j)
	}
}

func (n *node) inVain(j *Job) {
	j.Ticket, j.Owner = 0, protocol.NodeID{}
	if j.Searches == 0 || n.cfg.backOff(j.Searches) < n.cfg.BackOffMax {
		j.Searches++
	}
	n.rest(j, n.cfg.backOff(j.Searches), Vain)
}

// ended submits a job again at once. It keeps its turn.
func (n *node) ended(ticket uint32) {
	if j := n.submitted(ticket); j != nil {
		n.submit(j)
	}
}

// dead resubmits the jobs that the dead node owned. It also resubmits jobs without an owner yet,
// since their searches may have died with the node.
func (n *node) dead(id protocol.NodeID) {
	for j := range n.Jobs.All() {
		if j.Phase == Placed && (j.Owner == id || j.Owner.IsNobody() && j.Searches == 0) {
			n.submit(n.change(j.Number))
		}
	}
}

func (n *node) timeout(t protocol.Timer) {
	j := n.Job(uint32(t.Peer.Address))
	if j == nil || !slices.Contains(j.timers(), t) {
		n.ignored(uint32(t.Peer.Address), "no such timer")
		return
	}
	switch j = n.change(j.Number); t.Kind {
	case RestTimer:
		n.queue(j)
	case PatienceTimer:
		n.inVain(j)
	default:
		n.Event(EventAsk, j.Owner, j.Ticket, "")
	}
}

// rest begins a pause.
func (n *node) rest(j *Job, ticks uint32, why string) {
	j.enter(Resting)
	j.Rest = ticks
	n.Event(EventRest, protocol.NodeID{}, j.Number, why)
}

// queue puts a job in line for a turn. A job that returns from a search in vain begins a new round,
// behind all jobs in line.
func (n *node) queue(j *Job) {
	if j.Searches > 0 {
		n.Round++
	}
	j.enter(Waiting)
	j.Round = n.Round
	n.Event(EventWait, protocol.NodeID{}, j.Number, "")
}

// giveTurns submits the jobs whose turns have come.
func (n *node) giveTurns() {
	for {
		placed, next := n.turns()
		if next == nil || placed >= n.Turns {
			return
		}
		n.submit(n.change(next.Number))
		if placed+1 == n.Turns { // a pass through all jobs would find no further turn
			return
		}
	}
}

// submit hands a job to the grid with a new ticket. Reports on its former ticket no longer count.
func (n *node) submit(j *Job) {
	n.Ticket++
	j.enter(Placed)
	j.Ticket, j.Owner = n.Ticket, protocol.NodeID{}
	n.Event(EventSubmit, protocol.NodeID{}, j.Ticket, "")
}

// enter begins a phase, and clears the fields of the others.
func (j *Job) enter(p Phase) { j.Phase, j.Rest, j.Round = p, 0, 0 }

// revoke gives up the submission of a job. An owner that reports itself later is asked to cancel
// then: see owned.
func (n *node) revoke(j *Job) {
	if !j.Owner.IsNobody() {
		n.Event(EventRevoke, j.Owner, j.Ticket, "")
	}
	j.Ticket, j.Owner = 0, protocol.NodeID{}
}

// ignored notes that an input about a job or a ticket changed nothing, and why.
func (n *node) ignored(number uint32, reason string) {
	n.Event(EventIgnore, protocol.NodeID{}, number, reason)
}
