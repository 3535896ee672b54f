package reptask

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type decoder struct{ space.Decoder }

func newDecoder(cfg *Config, src []byte) decoder {
	return decoder{space.Decoder{Reader: protocol.NewReader(src), Dims: cfg.Dims}}
}

func (d decoder) ids() []protocol.NodeID { return protocol.List(d.Reader, d.NodeID) }

func (d decoder) job() Job {
	return Job{Submitted: d.Uint(1<<64 - 1), Owner: d.NodeID(), Number: d.Uint32()}
}

func (d decoder) attempt() Attempt { return Attempt{Job: d.job(), By: d.NodeID(), Epoch: d.Uint32()} }

func (d decoder) floor() Floor { return Floor{Job: d.job(), Epoch: d.Uint32()} }

func (d decoder) spec() Spec {
	s := Spec{Size: uint32(d.Uint(protocol.MaxItems)), Over: Over(d.Uint32()), Requirement: d.Point()}
	if !s.Over.Valid() {
		d.Fail()
	}
	return s
}

func (d decoder) algorithm() Algorithm { return Algorithm(d.Uint(uint64(ByQB))) }

func (d decoder) moves() Moves { return Moves{ByDLB: d.Bool(), ByQB: d.Bool()} }

func (d decoder) neighbour() Neighbour {
	return Neighbour{ID: d.NodeID(), Capability: d.Point(), Length: d.Uint32()}
}

func (d decoder) owned() Owned {
	a := d.attempt()
	return Owned{
		Job: a.Job, By: a.By, Epoch: a.Epoch, Spec: d.spec(), State: JobState(d.Uint(uint64(JobFailed))), Moves: d.moves(),
		Rep: d.NodeID(), Parting: d.Bool(), Next: d.NodeID(), NextBy: d.algorithm(),
		Candidates: d.ids(), Refusals: d.Uint32(),
	}
}

func (d decoder) role() Role {
	a := d.attempt()
	return Role{
		Job: a.Job, By: a.By, Epoch: a.Epoch, Owner: d.NodeID(), Bond: Bond(d.Uint(uint64(Seeking))),
		Candidates: d.ids(), Spec: d.spec(), Moves: d.moves(), Phase: Phase(d.Uint(uint64(Resigning))),
		Why: d.reason(), Target: d.NodeID(), TargetBy: d.algorithm(),
		Members: ordered(d, protocol.List(d.Reader, d.member), compareMembers),
	}
}

func compareMembers(a, b Member) int { return a.Host.Compare(b.Host) }

func (d decoder) reason() Reason { return Reason(d.Uint(uint64(Revoked))) }

func (d decoder) member() Member {
	return Member{
		Host: d.NodeID(), State: MemberState(d.Uint(uint64(MemberGone))), Vote: d.Uint32(), Withdrawn: d.Uint32(),
		Position: d.Uint32(),
	}
}

func (d decoder) task() Task {
	a := d.attempt()
	return Task{
		Job: a.Job, By: a.By, Epoch: a.Epoch, Rep: d.NodeID(), State: TaskState(d.Uint(uint64(TaskDone))),
		Vote: d.Uint32(),
	}
}

func (d decoder) position() Position { return Position{Attempt: d.attempt(), Ahead: d.Uint32()} }

// ordered refuses a list that is not strictly in order: the same list must have one encoding.
func ordered[T any](d decoder, all []T, compare func(a, b T) int) []T {
	for i := 1; i < len(all); i++ {
		if compare(all[i-1], all[i]) >= 0 {
			d.Fail()
		}
	}
	return all
}

// DecodeState decodes the output of AppendState.
func DecodeState(cfg *Config, src []byte) (State, error) {
	d := newDecoder(cfg, src)
	s := State{Self: d.NodeID(), Jobs: d.Uint32(), Epoch: d.Uint32()}
	s.Owned = ordered(d, protocol.List(d.Reader, d.owned), func(a, b Owned) int { return compareNames(a.Job, b.Job) })
	s.Roles = ordered(d, protocol.List(d.Reader, d.role), func(a, b Role) int { return a.Job.Compare(b.Job) })
	s.Tasks = ordered(d, protocol.List(d.Reader, d.task), func(a, b Task) int { return a.Job.Compare(b.Job) })
	s.Floors = ordered(d, protocol.List(d.Reader, d.floor), func(a, b Floor) int { return a.Job.Compare(b.Job) })
	s.Cluster = ordered(d, protocol.List(d.Reader, d.neighbour), func(a, b Neighbour) int { return a.ID.Compare(b.ID) })
	s.Silent = ordered(d, d.ids(), protocol.NodeID.Compare)
	refusals := d.Uint(leavingBit | cordonedBit)
	s.Leaving, s.Cordoned = refusals&leavingBit != 0, refusals&cordonedBit != 0
	return s, d.Close()
}

// DecodeMessage decodes the output of AppendMessage.
func DecodeMessage(cfg *Config, src []byte) (Message, error) {
	d := newDecoder(cfg, src)
	m := Message{Kind: MessageKind(d.Uint(uint64(Unable)))}
	switch m.Kind {
	case 0:
		d.Fail()
	case Beat:
		older := func(a, b Position) int { return a.Attempt.Job.Compare(b.Attempt.Job) }
		m.Positions = ordered(d, protocol.List(d.Reader, d.position), older)
	default:
		m.Attempt = d.attempt()
	}
	switch m.Kind {
	case Grant:
		m.Spec, m.Moves = d.spec(), d.moves()
	case Ready, Withdraw, Withdrawn, Start:
		m.Vote = d.Uint32()
	case Cancel, Settled:
		m.Confirm = d.Bool()
	case GiveUp:
		m.Reason, m.Target, m.By = d.reason(), d.NodeID(), d.algorithm()
	case Adopt:
		m.Spec, m.Moves, m.Revoked, m.Done, m.Candidates = d.spec(), d.moves(), d.Bool(), d.Bool(), d.ids()
	}
	if err := d.Close(); err != nil {
		return Message{}, err
	}
	return m, nil
}

// DecodeCommand decodes the output of AppendCommand.
func DecodeCommand(cfg *Config, src []byte) (Command, error) {
	d := newDecoder(cfg, src)
	c := Command{Kind: CommandKind(d.Uint(uint64(CommandUncordon)))}
	switch c.Kind {
	case CommandCluster:
		c.Cluster = protocol.List(d.Reader, d.neighbour)
	case CommandSubmit:
		c.Submitted, c.Spec, c.Candidates = d.Uint(1<<64-1), d.spec(), d.ids()
	case CommandCancel:
		c.Number, c.Owner = d.Uint32(), d.NodeID()
	case CommandMove:
		c.Job, c.Target, c.By = d.job(), d.NodeID(), d.algorithm()
	case CommandAdopt:
		c.Job, c.Target, c.Candidates = d.job(), d.NodeID(), d.ids()
	case CommandLeave, CommandCordon, CommandUncordon: // nothing else is set
	default:
		d.Fail()
	}
	if err := d.Close(); err != nil {
		return Command{}, err
	}
	return c, nil
}
