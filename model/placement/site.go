package placement

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Site is the core of a node with the world around it.
type Site struct {
	Core  placement.State
	World World
}

// World is the environment of the core: the decisions of custodians, and the submissions in the
// grid.
type World struct {
	Wishes      []Wish       // by job
	Submissions []Submission // by ticket
	Asked       []uint32     // tickets that their owners will answer not to have
	Stale       Report       // that may arrive again
	Yields      uint8        // how often each of these has happened
	Holds       uint8
	Silent      uint8
	Vain        uint8
	Repeats     uint8
	Deaths      uint8
}

// Wish is the decision of a job's custodians.
type Wish struct {
	Led   bool // this node decides about the job
	Held  bool
	Over  bool
	Runs  uint32 // the ticket of the submission whose attempt has the permit; 0: none
	Tries uint32 // attempts that have ended without an outcome
}

// Wanted reports whether the job waits for an attempt.
func (w *Wish) Wanted() bool { return w.Led && !w.Held && !w.Over && w.Runs == 0 }

// Submission is a job in the grid.
type Submission struct {
	Ticket, Job, Try uint32
	Found            bool // it has an owner
	Known            bool // which has reported itself
	Revoked          bool // the owner is asked to cancel it
	Former           bool // another custodian has decided about the job since
}

// Report is a report of the grid on a submission.
type Report struct {
	Kind   placement.CommandKind
	Ticket uint32
}

func (w World) clone() World {
	w.Wishes, w.Submissions, w.Asked = slices.Clone(w.Wishes), slices.Clone(w.Submissions), slices.Clone(w.Asked)
	return w
}

// submission returns the submission with a ticket, or nil.
func (w *World) submission(ticket uint32) *Submission {
	for i := range w.Submissions {
		if w.Submissions[i].Ticket == ticket {
			return &w.Submissions[i]
		}
	}
	return nil
}

// remove takes a submission out of the grid.
func (w *World) remove(ticket uint32) {
	w.Submissions = slices.DeleteFunc(w.Submissions, func(s Submission) bool { return s.Ticket == ticket })
}

// Identity is the identity of a node in a state.
func Identity(s Site) protocol.NodeID { return s.Core.Self }

// compact numbers tickets and rounds again, in their order: the core only compares them.
func compact(s *Site) {
	w := &s.World
	var jobs []placement.Job
	for j := range s.Core.Jobs.All() {
		jobs = append(jobs, *j)
	}
	tickets, rounds := []uint32{0}, []uint32{s.Core.Round}
	each := func(visit func(*uint32)) {
		for i := range jobs {
			visit(&jobs[i].Ticket)
		}
		for i := range w.Submissions {
			visit(&w.Submissions[i].Ticket)
		}
		for i := range w.Wishes {
			visit(&w.Wishes[i].Runs)
		}
		for i := range w.Asked {
			visit(&w.Asked[i])
		}
		visit(&w.Stale.Ticket)
	}
	each(func(t *uint32) { tickets = append(tickets, *t) })
	for i := range jobs {
		if jobs[i].Phase == placement.Waiting {
			rounds = append(rounds, jobs[i].Round)
		}
	}
	rank := func(of []uint32) func(*uint32) {
		slices.Sort(of)
		of = slices.Compact(of)
		return func(n *uint32) { *n = uint32(slices.Index(of, *n)) }
	}
	ticket, round := rank(tickets), rank(rounds)
	each(ticket)
	s.Core.Ticket = uint32(len(slices.Compact(tickets)) - 1)
	for i := range jobs {
		if jobs[i].Phase == placement.Waiting {
			round(&jobs[i].Round)
		}
	}
	round(&s.Core.Round)
	s.Core.Jobs = placement.ListOf(jobs...)
}

func appendWorld(dst []byte, w *World) []byte {
	e := space.Encoder{Dst: dst}
	e.Uint(uint64(len(w.Wishes)))
	for _, x := range w.Wishes {
		for _, b := range []bool{x.Led, x.Held, x.Over} {
			e.Bool(b)
		}
		e.Uint(uint64(x.Runs))
		e.Uint(uint64(x.Tries))
	}
	e.Uint(uint64(len(w.Submissions)))
	for _, x := range w.Submissions {
		for _, n := range []uint32{x.Ticket, x.Job, x.Try} {
			e.Uint(uint64(n))
		}
		for _, b := range []bool{x.Found, x.Known, x.Revoked, x.Former} {
			e.Bool(b)
		}
	}
	e.Uint(uint64(len(w.Asked)))
	for _, t := range w.Asked {
		e.Uint(uint64(t))
	}
	e.Uint(uint64(w.Stale.Kind))
	e.Uint(uint64(w.Stale.Ticket))
	for _, n := range []uint8{w.Yields, w.Holds, w.Silent, w.Vain, w.Repeats, w.Deaths} {
		e.Uint(uint64(n))
	}
	return e.Dst
}

func decodeWorld(r *protocol.Reader) (w World) {
	d := space.Decoder{Reader: r}
	w.Wishes = protocol.List(r, func() Wish {
		return Wish{Led: d.Bool(), Held: d.Bool(), Over: d.Bool(), Runs: d.Uint32(), Tries: d.Uint32()}
	})
	w.Submissions = protocol.List(r, func() Submission {
		return Submission{
			Ticket: d.Uint32(), Job: d.Uint32(), Try: d.Uint32(), Found: d.Bool(), Known: d.Bool(), Revoked: d.Bool(),
			Former: d.Bool(),
		}
	})
	w.Asked = protocol.List(r, d.Uint32)
	w.Stale.Kind, w.Stale.Ticket = placement.CommandKind(d.Uint(uint64(placement.CommandTurns))), d.Uint32()
	for _, n := range []*uint8{&w.Yields, &w.Holds, &w.Silent, &w.Vain, &w.Repeats, &w.Deaths} {
		*n = uint8(d.Uint(1<<8 - 1))
	}
	return w
}

// AppendState implements [protocol.Core].
func (a *Agent) AppendState(dst []byte, s Site) []byte {
	core := placement.AppendState(nil, s.Core)
	dst = append(protocol.AppendUint(dst, uint64(len(core))), core...)
	return appendWorld(dst, &s.World)
}

// DecodeState implements [protocol.Core].
func (a *Agent) DecodeState(src []byte) (Site, error) {
	r := protocol.NewReader(src)
	core, err := placement.DecodeState(r.Bytes(int(r.Uint(uint64(r.Left())))))
	if err != nil {
		return Site{}, err
	}
	s := Site{Core: core, World: decodeWorld(r)}
	return s, r.Close()
}

// StateText implements [protocol.Core].
func (a *Agent) StateText(s Site) string {
	t := space.Text{Dst: []byte(placement.StateText(s.Core))}
	for i := range s.World.Wishes {
		x := &s.World.Wishes[i]
		t.Num(" | job ", int64(i+1))
		for _, each := range []struct {
			set  bool
			word string
		}{{x.Led, " led"}, {x.Held, " held"}, {x.Over, " over"}} {
			if each.set {
				t.Str(each.word)
			}
		}
		t.Num(" runs ", int64(x.Runs))
		t.Num(" tries ", int64(x.Tries))
	}
	for i := range s.World.Submissions {
		sub := &s.World.Submissions[i]
		t.Num(" | ticket ", int64(sub.Ticket))
		t.Num(" of job ", int64(sub.Job))
		t.Num(" try ", int64(sub.Try))
		for _, each := range []struct {
			set  bool
			word string
		}{{sub.Found, " found"}, {sub.Known, " known"}, {sub.Revoked, " revoked"}, {sub.Former, " former"}} {
			if each.set {
				t.Str(each.word)
			}
		}
	}
	w := &s.World
	for _, ticket := range w.Asked {
		t.Num(" | lacks ", int64(ticket))
	}
	t.Num(" | stale ", int64(w.Stale.Kind))
	t.Num(":", int64(w.Stale.Ticket))
	for _, n := range []uint8{w.Yields, w.Holds, w.Silent, w.Vain, w.Repeats, w.Deaths} {
		t.Num(" ", int64(n))
	}
	return string(t.Dst)
}
