package can

import (
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/can"
	published "github.com/canvass-grid/canvass/protocol/published/can"
	"github.com/canvass-grid/canvass/protocol/space"
)

// View has the data of a node for the properties, for either core.
type View struct {
	Self         Seen
	Member       bool              // owns a zone
	Joining      bool              // was commanded to join and is no member yet
	WantsLeave   bool              // was commanded to leave and has not left yet
	Departed     bool              // has left
	Proposing    bool              // is in an undecided round of itself
	Handing      bool              // has given a zone away, which the receiver may not have yet
	Busy         bool              // is in its own round, or has promised to another's
	Participants []protocol.NodeID // of the node's undecided round
	Known        []Seen            // nodes that it knows as live
	Holes        []Seen            // dead nodes whose zones, as far as it knows, are not taken over

	// Of the corrected core only.
	Promised      protocol.NodeID // the proposer that it promised to
	PromisedRound uint32
	Concerns      []protocol.NodeID // nodes of the node's round and of the round that it promised to
	Round         uint32            // of its latest round
	Assumes       []Seen            // the participants' records on which its open round is built
}

// Seen is a node as itself or another sees it.
type Seen struct {
	ID      protocol.NodeID
	Zone    space.Zone
	Coord   space.Point
	Version uint32
}

// viewOfLive shows a node to the properties, unless it has left.
func viewOfLive(s can.State) any {
	if s.Phase == can.Departed {
		return nil
	}
	return ViewOf(s)
}

// ViewOf shows a node of the corrected core.
func ViewOf(s can.State) *View {
	v := &View{
		Self: seen(s.Self), Member: s.Phase == can.Member, Joining: s.Phase == can.Joining || s.Phase == can.Drawing,
		WantsLeave: s.Leave && s.Phase != can.Departed, Departed: s.Phase == can.Departed,
		Proposing: s.Change.Stage == can.Proposing, Handing: s.Change.Stage == can.Granting, Busy: s.Busy(),
	}
	if v.Round = s.Round; s.Change.Stage != can.Stable {
		v.Assumes = assumed(s.Change.Commit)
	}
	v.Promised, v.PromisedRound = s.Promise.Proposer, s.Promise.Round
	v.Concerns = concerns(&s)
	if v.Proposing {
		v.Participants = append(append(v.Participants, s.Change.Waiting...), s.Change.Later...)
	}
	for _, r := range s.Known {
		if s.IsDead(r.ID) {
			v.Holes = append(v.Holes, seen(r))
			continue
		}
		v.Known = append(v.Known, seen(r))
	}
	return v
}

func concerns(s *can.State) (all []protocol.NodeID) {
	if s.Change.Stage != can.Stable {
		all = append(slices.Concat(s.Change.Waiting, s.Change.Later), s.Change.Subject)
	}
	if s.Promise.Proposer.IsNobody() {
		return all
	}
	return append(all, s.Promise.Proposer, s.Promise.Subject)
}

// assumed returns the records of the other participants from which an outcome was worked out. Those
// of the takers are in it as they will be, one version later.
func assumed(c can.Commit) []Seen {
	var all []Seen
	for _, r := range c.View {
		all = append(all, seen(r))
	}
	for _, r := range c.Changed {
		if c.Kind == can.Merge {
			all = append(all, Seen{ID: r.ID, Version: r.Version - 1})
		}
	}
	return all
}

// PublishedViewOf shows a node of the published core. It leaves out the instance numbers: by one
// interpretation they count requests, of which other nodes need not know.
func PublishedViewOf(s published.State) *View {
	v := &View{
		Self: Seen{ID: s.ID(), Zone: s.Zone(), Coord: s.Coord()}, Member: s.IsMember(),
		Joining: s.Phase == published.Joining, WantsLeave: s.Leave && s.Phase != published.Departed,
		Departed: s.Phase == published.Departed, Busy: s.Busy(), Participants: s.Participants(),
	}
	v.Proposing = len(v.Participants) > 0
	for _, r := range s.Known() {
		v.Known = append(v.Known, Seen{ID: r.ID, Zone: r.Zone, Coord: r.Coord})
	}
	return v
}

func seen(r can.Record) Seen { return Seen{ID: r.ID, Zone: r.Zone, Coord: r.Coord, Version: r.Version} }

// Direct returns the known nodes whose zones, in this node's view, abut its own.
func (v *View) Direct() []Seen {
	var direct []Seen
	for _, q := range v.Known {
		if _, ok := v.Self.Zone.Abuts(q.Zone); ok {
			direct = append(direct, q)
		}
	}
	return direct
}

// views goes through the live nodes of a global state, each with its index.
func views[S, M any](g *model.GlobalState[S, M]) iter.Seq2[int, *View] {
	return func(yield func(int, *View) bool) {
		for i, s := range g.Slots {
			if v, live := s.View.(*View); live && !yield(i, v) {
				return
			}
		}
	}
}

// members returns the live nodes that own a zone.
func members[S, M any](g *model.GlobalState[S, M]) []*View {
	owners := make([]*View, 0, model.MaxNodes)
	for _, v := range views(g) {
		if v.Member {
			owners = append(owners, v)
		}
	}
	return owners
}
