package reptask

import (
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

type text struct{ space.Text }

func newText(cfg *Config) text { return text{space.Text{Dims: cfg.Dims}} }

func (t *text) id(label string, id protocol.NodeID) { t.Str(label + id.String()) }

func (t *text) ids(label string, ids []protocol.NodeID) {
	t.Str(label + "{")
	for i, id := range ids {
		if i > 0 {
			t.Str(" ")
		}
		t.Str(id.String())
	}
	t.Str("}")
}

// JobText names a job: owner, number and submit time.
func JobText(j Job) string {
	var t text
	t.job(j)
	return string(t.Dst)
}

// job writes owner, number and submit time: A#1@10
func (t *text) job(j Job) {
	t.id("", j.Owner)
	t.Num("#", int64(j.Number))
	t.Str("@")
	t.unsigned(j.Submitted)
}

// unsigned writes a number of 64 bits, which may exceed an int64.
func (t *text) unsigned(v uint64) {
	if v >= 10 {
		t.unsigned(v / 10)
	}
	t.Str(string(rune('0' + v%10)))
}

// attempt writes the job, the owner that granted the attempt if that is not the job's first owner,
// and the epoch: A#1@10/2, A#1@10/C:2
func (t *text) attempt(a Attempt) {
	t.job(a.Job)
	t.Str("/")
	if a.By != a.Job.Owner {
		t.id("", a.By)
		t.Str(":")
	}
	t.Num("", int64(a.Epoch))
}

func (t *text) spec(s Spec) {
	t.Num(" size ", int64(s.Size))
	t.Str(" over " + s.Over.String())
	if t.Dims > 0 {
		t.Str(" needs ")
		t.Point(s.Requirement)
	}
}

func (t *text) flag(label string, set bool) {
	if set {
		t.Str(label)
	}
}

func (t *text) moves(m Moves) {
	if m != (Moves{}) {
		t.Str(" " + m.String())
	}
}

func (t *text) neighbours(all []Neighbour) {
	t.Str("{")
	for i, q := range all {
		if i > 0 {
			t.Str(" ")
		}
		t.id("", q.ID)
		if t.Dims > 0 {
			t.Point(q.Capability)
		}
		if q.Length > 0 {
			t.Num("+", int64(q.Length))
		}
	}
	t.Str("}")
}

// MessageText describes a message in one line.
func MessageText(cfg *Config, m Message) string {
	t := newText(cfg)
	t.Str(m.Kind.String())
	if m.Kind == Beat {
		for _, p := range m.Positions {
			t.Str(" ")
			t.attempt(p.Attempt)
			t.Num(" behind ", int64(p.Ahead))
		}
		return string(t.Dst)
	}
	t.Str(" ")
	t.attempt(m.Attempt)
	switch m.Kind {
	case Grant:
		t.spec(m.Spec)
		t.moves(m.Moves)
	case Ready, Withdraw, Withdrawn, Start:
		t.Num(" vote ", int64(m.Vote))
	case Cancel, Settled:
		t.flag(" confirm", m.Confirm)
	case GiveUp:
		t.Str(" " + m.Reason.String())
		if !m.Target.IsNobody() {
			t.id(" to ", m.Target)
			t.flag(" by QB", m.By == ByQB)
		}
	case Adopt:
		t.spec(m.Spec)
		t.moves(m.Moves)
		t.flag(" revoked", m.Revoked)
		t.flag(" done", m.Done)
		t.ids(" candidates", m.Candidates)
	}
	return string(t.Dst)
}

// StateText describes a state in one line.
func StateText(cfg *Config, s State) string {
	t := newText(cfg)
	t.id("", s.Self)
	t.Num(" jobs ", int64(s.Jobs))
	t.Num(" epoch ", int64(s.Epoch))
	for _, o := range s.Owned {
		t.owned(o)
	}
	for _, r := range s.Roles {
		t.role(r)
	}
	for _, task := range s.Tasks {
		t.Str("; hosts ")
		t.attempt(task.Attempt())
		t.id(" of ", task.Rep)
		t.Str(" " + task.State.String())
		t.Num(" vote ", int64(task.Vote))
	}
	if len(s.Floors) > 0 {
		t.Str("; over before")
		for _, f := range s.Floors {
			t.Str(" ")
			t.job(f.Job)
			t.Num("/", int64(f.Epoch))
		}
	}
	t.Str("; cluster")
	t.neighbours(s.Cluster)
	if len(s.Silent) > 0 {
		t.ids(" silent", s.Silent)
	}
	t.flag(" leaving", s.Leaving)
	t.flag(" cordoned", s.Cordoned)
	return string(t.Dst)
}

func (t *text) owned(o Owned) {
	t.Str("; owns ")
	t.attempt(o.Attempt())
	t.spec(o.Spec)
	t.Str(" " + o.State.String())
	t.moves(o.Moves)
	t.id(" at ", o.Rep)
	t.flag(" parting", o.Parting)
	if !o.Next.IsNobody() {
		t.id(" to ", o.Next)
		t.flag(" by QB", o.NextBy == ByQB)
	}
	t.ids(" candidates", o.Candidates)
	t.Num(" refusals ", int64(o.Refusals))
}

func (t *text) role(r Role) {
	t.Str("; represents ")
	t.attempt(r.Attempt())
	t.id(" for ", r.Owner)
	if r.Bond != Bound || len(r.Candidates) > 0 {
		t.ids(" "+r.Bond.String(), r.Candidates)
	}
	t.spec(r.Spec)
	t.moves(r.Moves)
	t.Str(" " + r.Phase.String() + " " + r.Why.String())
	t.id(" to ", r.Target)
	t.flag(" by QB", r.TargetBy == ByQB)
	t.Str(" members{")
	for i, m := range r.Members {
		if i > 0 {
			t.Str(" ")
		}
		t.id("", m.Host)
		t.Str(":" + m.State.String())
		t.Num(" vote ", int64(m.Vote))
		t.Num(" withdrawn ", int64(m.Withdrawn))
		t.Num(" behind ", int64(m.Position))
	}
	t.Str("}")
}

// CommandText describes a command in one line.
func CommandText(cfg *Config, c Command) string {
	t := newText(cfg)
	switch c.Kind {
	case CommandCluster:
		t.Str("cluster ")
		t.neighbours(c.Cluster)
	case CommandSubmit:
		t.Str("submit @")
		t.unsigned(c.Submitted)
		t.spec(c.Spec)
		t.ids(" to ", c.Candidates)
	case CommandCancel:
		t.Num("cancel ", int64(c.Number))
		if !c.Owner.IsNobody() {
			t.id(" of ", c.Owner)
		}
	case CommandMove:
		t.Str("move ")
		t.job(c.Job)
		t.id(" to ", c.Target)
		t.flag(" by QB", c.By == ByQB)
	case CommandAdopt:
		t.Str("adopt ")
		t.job(c.Job)
		t.id(" by ", c.Target)
		t.ids(" candidates", c.Candidates)
	case CommandLeave:
		t.Str("leave")
	case CommandCordon:
		t.Str("cordon")
	case CommandUncordon:
		t.Str("uncordon")
	}
	return string(t.Dst)
}

// TimerText names a timer.
func TimerText(timer protocol.Timer) string {
	names := [...]string{"?", "run", "resend", "beat", "lease", "regrant"}
	if timer.Kind >= protocol.TimerKind(len(names)) {
		return "?"
	}
	name := names[timer.Kind]
	if timer.Kind >= LeaseTimer {
		name += " " + timer.Peer.String()
	}
	return name
}

// String names the kind.
func (k MessageKind) String() string {
	names := [...]string{
		"?",
		"Grant",
		"Revoke",
		"Dispatch",
		"Ready",
		"Withdraw",
		"Withdrawn",
		"Start",
		"Cancel",
		"Gone",
		"Finish",
		"Result",
		"GiveUp",
		"Settled",
		"Adopt",
		"Decline",
		"Beat",
		"Unable",
	}
	if int(k) >= len(names) {
		return "?"
	}
	return names[k]
}

// String names the state.
func (s JobState) String() string {
	return [...]string{"open", "revoking", "accepted", "cancelled", "failed"}[s]
}

// String names the bond.
func (b Bond) String() string { return [...]string{"bound", "asking", "seeking", "?"}[b&3] }

// String names the phase.
func (p Phase) String() string {
	return [...]string{"collecting", "started", "reporting", "stopping", "resigning"}[p]
}

// String names the reason.
func (r Reason) String() string { return [...]string{"refused", "lost", "moved", "revoked"}[r&3] }

// String names the state.
func (s MemberState) String() string {
	return [...]string{"dispatched", "starting", "finished", "gone"}[s&3]
}

// String names the state.
func (s TaskState) String() string {
	return [...]string{"queued", "ready", "withdrawing", "running", "done"}[s]
}
