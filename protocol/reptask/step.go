package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
)

// Input and Output are the contract's types for this core.
type (
	Input    = protocol.Input[Message, Command]
	Output   = protocol.Output[Message]
	Envelope = protocol.Envelope[Message]
)

// Step is one node in its three roles: it returns the next state and the output for an input. It is
// pure.
func Step(cfg *Config, s State, in Input) (State, Output) {
	n := node{cfg: cfg, State: s.clone()}
	switch in.Kind {
	case protocol.Start:
		n.start(1)
	case protocol.Restart:
		n.restart(in.Persisted)
	case protocol.Command:
		n.command(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.timeout(in.Timer)
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	n.serve()
	n.deliverLocal()
	n.Silent = n.awaited(n.Silent)
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
}

// deliverLocal delivers the messages of the node to itself. They do not go through the network: the
// roles of a node share its memory, so a decision of one role reaches the others in the same step.
func (n *node) deliverLocal() {
	for n.Keeps() {
		n.deliver(n.Self, n.Next())
		n.serve()
	}
}

func (n *node) start(incarnation uint16) {
	n.Self.Incarnation = incarnation
	n.Out.Persist = protocol.AppendNodeID(nil, n.Self)
}

// restart starts the next incarnation. It keeps nothing of the former one but the identity.
func (n *node) restart(persisted []byte) {
	r := protocol.NewReader(persisted)
	id := r.NodeID()
	if r.Close() != nil || id.Incarnation == 0 || id.Incarnation == 1<<16-1 {
		n.Ignore(n.Self, "nothing to restart from")
		return
	}
	n.State = New(id.Address)
	n.start(id.Incarnation + 1)
}

func (n *node) command(c Command) {
	switch c.Kind {
	case CommandCluster:
		n.cluster(c.Cluster)
	case CommandSubmit:
		n.submit(c)
	case CommandCancel:
		n.cancelJob(c)
	case CommandMove:
		n.move(c)
	case CommandAdopt:
		n.ask(c)
	case CommandLeave:
		n.leave()
	case CommandCordon, CommandUncordon:
		n.cordon(c.Kind == CommandCordon)
	default:
		n.Ignore(n.Self, "no such order")
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	n.heard(from)
	switch m.Kind {
	case Grant:
		n.grant(from, m)
	case Revoke:
		n.revoke(from, m)
	case Dispatch:
		n.dispatch(from, m)
	case Ready:
		n.ready(from, m)
	case Withdraw:
		n.withdraw(from, m)
	case Withdrawn:
		n.withdrawn(from, m)
	case Start:
		n.begin(from, m)
	case Cancel:
		n.cancel(from, m)
	case Gone:
		n.gone(from, m)
	case Unable:
		n.exclude(from)
		n.gone(from, m)
	case Finish:
		n.finish(from, m)
	case Result:
		n.result(from, m)
	case GiveUp:
		n.givenUp(from, m)
	case Settled:
		n.settled(from, m)
	case Adopt:
		n.adopt(from, m)
	case Decline:
		n.declined(from, m)
	case Beat:
		n.beat(from, m)
	default:
		n.Ignore(from, "no such message")
	}
}

func (n *node) timeout(t protocol.Timer) {
	switch t.Kind {
	case RunTimer:
		n.ranToItsEnd()
	case ResendTimer:
		for _, e := range n.unanswered() {
			n.send(e.To, e.Message)
		}
		for i := range n.Roles {
			if r := &n.Roles[i]; r.Bond == Seeking {
				n.note(EventOrphan, r.Attempt())
			}
		}
	case BeatTimer:
		n.sendBeats()
	case LeaseTimer:
		n.expired(t.Peer)
	case RegrantTimer:
		n.vacant(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

func (n *node) send(to protocol.NodeID, m Message) {
	if !n.mute(to, m) {
		n.SendOrKeep(n.Self, to, m)
	}
}

// note announces what happened to an attempt.
func (n *node) note(name string, a Attempt) { n.Event(name, a.By, a.Epoch, "") }

// The details of EventFull: the limit that was reached.
const (
	fullJobs   = "JobLimit: too many open jobs"
	fullEnded  = "JobLimit: a job that has ended is forgotten"
	fullRoles  = "RoleLimit: too many representative tasks"
	fullTasks  = "TaskLimit: too many dependent tasks"
	fullFloors = "FloorLimit: late messages of this job could start it again"
)

// full announces that a limit is met.
func (n *node) full(job Job, which string) { n.Event(EventFull, job.Owner, job.Number, which) }

// end remembers that an attempt and all before it are over here, so their late messages have no
// effect. If there are too many jobs, the oldest is forgotten.
func (n *node) end(a Attempt) {
	floor := Floor{a.Job, a.Epoch + 1}
	i, ok := slices.BinarySearchFunc(n.Floors, a.Job, func(f Floor, job Job) int { return f.Job.Compare(job) })
	if ok {
		n.Floors[i].Epoch = max(n.Floors[i].Epoch, floor.Epoch)
		return
	}
	n.Floors = slices.Insert(n.Floors, i, floor)
	if len(n.Floors) > n.cfg.FloorLimit {
		n.full(n.Floors[0].Job, fullFloors)
		n.Floors = slices.Delete(n.Floors, 0, 1)
	}
}
