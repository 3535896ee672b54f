package reptask

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type encoder struct{ space.Encoder }

func newEncoder(cfg *Config, dst []byte) encoder {
	return encoder{space.Encoder{Dst: dst, Dims: cfg.Dims}}
}

func (e *encoder) u32(v uint32) { e.Uint(uint64(v)) }

func (e *encoder) ids(ids []protocol.NodeID) {
	e.Uint(uint64(len(ids)))
	for _, id := range ids {
		e.ID(id)
	}
}

func (e *encoder) job(j Job) { e.Dst = j.append(e.Dst) }

func (e *encoder) attempt(a Attempt) {
	e.job(a.Job)
	e.ID(a.By)
	e.u32(a.Epoch)
}

func (e *encoder) spec(s Spec) {
	e.u32(s.Size)
	e.Uint(uint64(s.Over))
	e.Point(s.Requirement)
}

func (e *encoder) moves(m Moves) {
	e.Bool(m[ByDLB])
	e.Bool(m[ByQB])
}

func (e *encoder) neighbours(all []Neighbour) {
	e.Uint(uint64(len(all)))
	for _, q := range all {
		e.ID(q.ID)
		e.Point(q.Capability)
		e.u32(q.Length)
	}
}

func (e *encoder) owned(o Owned) {
	e.attempt(o.Attempt())
	e.spec(o.Spec)
	e.Uint(uint64(o.State))
	e.moves(o.Moves)
	e.ID(o.Rep)
	e.Bool(o.Parting)
	e.ID(o.Next)
	e.Uint(uint64(o.NextBy))
	e.ids(o.Candidates)
	e.u32(o.Refusals)
}

func (e *encoder) role(r Role) {
	e.attempt(r.Attempt())
	e.ID(r.Owner)
	e.Uint(uint64(r.Bond))
	e.ids(r.Candidates)
	e.spec(r.Spec)
	e.moves(r.Moves)
	e.Uint(uint64(r.Phase))
	e.Uint(uint64(r.Why))
	e.ID(r.Target)
	e.Uint(uint64(r.TargetBy))
	e.Uint(uint64(len(r.Members)))
	for _, m := range r.Members {
		e.ID(m.Host)
		e.Uint(uint64(m.State))
		e.u32(m.Vote)
		e.u32(m.Withdrawn)
		e.u32(m.Position)
	}
}

// AppendState appends the canonical encoding of a state.
func AppendState(cfg *Config, dst []byte, s State) []byte {
	e := newEncoder(cfg, dst)
	e.ID(s.Self)
	e.u32(s.Jobs)
	e.u32(s.Epoch)
	e.Uint(uint64(len(s.Owned)))
	for _, o := range s.Owned {
		e.owned(o)
	}
	e.Uint(uint64(len(s.Roles)))
	for _, r := range s.Roles {
		e.role(r)
	}
	e.Uint(uint64(len(s.Tasks)))
	for _, t := range s.Tasks {
		e.attempt(t.Attempt())
		e.ID(t.Rep)
		e.Uint(uint64(t.State))
		e.u32(t.Vote)
	}
	e.Uint(uint64(len(s.Floors)))
	for _, f := range s.Floors {
		e.job(f.Job)
		e.u32(f.Epoch)
	}
	e.neighbours(s.Cluster)
	e.ids(s.Silent)
	e.Uint(s.refusals())
	return e.Dst
}

// refusals encodes what the node takes no more.
func (s *State) refusals() (bits uint64) {
	if s.Leaving {
		bits |= leavingBit
	}
	if s.Cordoned {
		bits |= cordonedBit
	}
	return bits
}

const (
	leavingBit  = 1
	cordonedBit = 2
)

// AppendMessage appends the canonical encoding of a message: its kind, then the fields that the
// kind names.
func AppendMessage(cfg *Config, dst []byte, m Message) []byte {
	e := newEncoder(cfg, dst)
	e.Uint(uint64(m.Kind))
	if m.Kind == Beat {
		e.Uint(uint64(len(m.Positions)))
		for _, p := range m.Positions {
			e.attempt(p.Attempt)
			e.u32(p.Ahead)
		}
		return e.Dst
	}
	e.attempt(m.Attempt)
	switch m.Kind {
	case Grant:
		e.spec(m.Spec)
		e.moves(m.Moves)
	case Ready, Withdraw, Withdrawn, Start:
		e.u32(m.Vote)
	case Cancel, Settled:
		e.Bool(m.Confirm)
	case GiveUp:
		e.Uint(uint64(m.Reason))
		e.ID(m.Target)
		e.Uint(uint64(m.By))
	case Adopt:
		e.spec(m.Spec)
		e.moves(m.Moves)
		e.Bool(m.Revoked)
		e.Bool(m.Done)
		e.ids(m.Candidates)
	}
	return e.Dst
}

// AppendCommand appends the canonical encoding of a command: its kind, then the fields that the
// kind names.
func AppendCommand(cfg *Config, dst []byte, c Command) []byte {
	e := newEncoder(cfg, dst)
	e.Uint(uint64(c.Kind))
	switch c.Kind {
	case CommandCluster:
		e.neighbours(c.Cluster)
	case CommandSubmit:
		e.Uint(c.Submitted)
		e.spec(c.Spec)
		e.ids(c.Candidates)
	case CommandCancel:
		e.u32(c.Number)
		e.ID(c.Owner)
	case CommandMove:
		e.job(c.Job)
		e.ID(c.Target)
		e.Uint(uint64(c.By))
	case CommandAdopt:
		e.job(c.Job)
		e.ID(c.Target)
		e.ids(c.Candidates)
	}
	return e.Dst
}
