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
		n.onCommand(in.Command)
	case protocol.Deliver:
		n.deliver(in.From, in.Message)
	case protocol.Timeout:
		n.onTimeout(in.Timer)
	default:
		n.Ignore(in.From, "input of another protocol")
	}
	n.asHost().serve()
	n.deliverLocal()
	n.Silent = n.awaited(n.Silent)
	n.setTimers(&s, in)
	return n.State, n.Out
}

// node is a step in progress. It passes each input to one of its roles, and holds what they share:
// messages on their way out, the attempts that are over, and the silent peers.
type node struct {
	cfg *Config
	State
	protocol.Effects[Message]
}

func (n *node) asOwner() owner                   { return owner{n} }
func (n *node) asRepresentative() representative { return representative{n} }
func (n *node) asHost() host                     { return host{n} }

// deliverLocal delivers the messages of the node to itself. They do not go through the network: the
// roles of a node share its memory, so a decision of one role reaches the others in the same step.
func (n *node) deliverLocal() {
	for n.Keeps() {
		n.deliver(n.Self, n.Next())
		n.asHost().serve()
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

func (n *node) onCommand(c Command) {
	switch c.Kind {
	case CommandCluster:
		n.asRepresentative().setCluster(c.Cluster)
	case CommandSubmit:
		n.asOwner().submit(c)
	case CommandCancel:
		n.asOwner().cancelJob(c)
	case CommandMove:
		n.asRepresentative().move(c)
	case CommandAdopt:
		n.asRepresentative().askToOwn(c)
	case CommandLeave:
		n.leave()
	case CommandCordon, CommandUncordon:
		n.asHost().cordon(c.Kind == CommandCordon)
	default:
		n.Ignore(n.Self, "no such order")
	}
}

func (n *node) deliver(from protocol.NodeID, m Message) {
	n.endSilence(from)
	switch m.Kind {
	case Grant:
		n.asRepresentative().onGrant(from, m)
	case Revoke:
		n.asRepresentative().onRevoke(from, m)
	case Dispatch:
		n.asHost().onDispatch(from, m)
	case Ready:
		n.asRepresentative().onReady(from, m)
	case Withdraw:
		n.asRepresentative().onWithdraw(from, m)
	case Withdrawn:
		n.asHost().onWithdrawn(from, m)
	case Start:
		n.asHost().onStart(from, m)
	case Cancel:
		n.asHost().onCancel(from, m)
	case Gone:
		n.onGone(from, m)
	case Unable:
		n.asRepresentative().exclude(from)
		n.onGone(from, m)
	case Finish:
		n.asRepresentative().onFinish(from, m)
	case Result:
		n.asOwner().onResult(from, m)
	case GiveUp:
		n.asOwner().onGiveUp(from, m)
	case Settled:
		n.asRepresentative().onSettled(from, m)
	case Adopt:
		n.asOwner().onAdopt(from, m)
	case Decline:
		n.asRepresentative().onDecline(from, m)
	case Beat:
		n.asRepresentative().onBeat(from, m)
	default:
		n.Ignore(from, "no such message")
	}
}

// onGone records that a host does not hold a task, or a representative an attempt.
func (n *node) onGone(from protocol.NodeID, m Message) {
	if !n.asOwner().endParting(from, m) {
		n.asRepresentative().lose(m.Attempt, from)
	}
}

func (n *node) onTimeout(t protocol.Timer) {
	switch t.Kind {
	case RunTimer:
		n.asHost().onRunEnd()
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
		n.onExpired(t.Peer)
	case RegrantTimer:
		n.onVacant(t.Peer)
	default:
		n.Ignore(t.Peer, "no such timer")
	}
}

func (n *node) send(to protocol.NodeID, m Message) {
	if !n.isMute(to, m) {
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

// noteFull announces that a limit is met.
func (n *node) noteFull(job Job, which string) { n.Event(EventFull, job.Owner, job.Number, which) }

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
		n.noteFull(n.Floors[0].Job, fullFloors)
		n.Floors = slices.Delete(n.Floors, 0, 1)
	}
}
