package can

import (
	"iter"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// View is what the properties need to know of a node, whichever core it runs.
type View struct {
	Self         Seen
	Member       bool              // owns a zone
	Joining      bool              // was ordered to join and is not in yet
	WantsLeave   bool              // was ordered to leave and is not out yet
	Departed     bool              // has left
	Proposing    bool              // has a round of its own that is not decided
	Handing      bool              // has given a zone away that the receiver may not have yet
	Busy         bool              // has a round of its own, or is held by another's
	Cancelled    bool              // its own round was decided NO-OP and is being told
	TakingOver   bool              // its own round was decided TAKEOVER and is being told
	Participants []protocol.NodeID // of its own undecided round
	Known        []Seen            // live nodes it believes in
	Round        uint32
}

// Seen is a node as itself or another sees it.
type Seen struct {
	ID      protocol.NodeID
	Zone    space.Zone
	Coord   space.Point
	Version uint32
}

// ViewOf shows a node of the corrected core.
func ViewOf(s can.State) *View {
	v := &View{
		Self: seen(s.Self), Member: s.Phase == can.Member, Joining: s.Phase == can.Joining,
		WantsLeave: s.Leave && s.Phase != can.Departed, Departed: s.Phase == can.Departed,
		Proposing: s.Change.Stage == can.Proposing, Handing: s.Change.Stage == can.Granting, Busy: s.Busy(),
		Round: s.Round,
	}
	if v.Proposing {
		v.Participants = append(append(v.Participants, s.Change.Waiting...), s.Change.Later...)
	}
	if s.Change.Stage >= can.Granting {
		v.Cancelled = s.Change.Commit.Command == can.NoOp
		v.TakingOver = s.Change.Commit.Command == can.Takeover
	}
	for _, r := range s.Known {
		if !s.IsDead(r.ID) {
			v.Known = append(v.Known, seen(r))
		}
	}
	return v
}

func seen(r can.Record) Seen { return Seen{ID: r.ID, Zone: r.Zone, Coord: r.Coord, Version: r.Version} }

// direct returns the known nodes whose zones, as this node knows them, abut its own.
func (v *View) direct() []Seen {
	var direct []Seen
	for _, q := range v.Known {
		if _, ok := v.Self.Zone.Abuts(q.Zone); ok {
			direct = append(direct, q)
		}
	}
	return direct
}

// views goes through the live nodes of a world, each with its place.
func views[S, M any](w *model.World[S, M]) iter.Seq2[int, *View] {
	return func(yield func(int, *View) bool) {
		for i, s := range w.Slots {
			if v, live := s.View.(*View); live && !yield(i, v) {
				return
			}
		}
	}
}

// members returns the live nodes that own a zone.
func members[S, M any](w *model.World[S, M]) []*View {
	owners := make([]*View, 0, model.MaxNodes)
	for _, v := range views(w) {
		if v.Member {
			owners = append(owners, v)
		}
	}
	return owners
}
