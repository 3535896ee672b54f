package refine

import (
	"iter"
	"slices"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// ClientState is a state of figure 5.1.
type ClientState uint8

// The states of a client.
const (
	ClientIdle ClientState = iota
	ClientWait
	ClientMeasure
	ClientSteady
)

// HeadState is a state of figure 5.2.
type HeadState uint8

// The states of a head.
const (
	HeadIdle HeadState = iota
	HeadCollect
	HeadSolicit
	HeadFilter
	HeadSteady
)

// Stage is how far a client's relation to a head has come.
type Stage uint8

// The stages in their order. Accepted and committed slots count towards the membership bound.
const (
	Suitor    Stage = iota + 1 // it asked; no answer yet
	Accepted                   // it was sent an ACCEPT
	Committed                  // it confirmed
)

// Cluster is a job-ready cluster in the view of some node.
type Cluster struct {
	Head    protocol.NodeID
	Round   uint32            // of the head
	Members []protocol.NodeID // sorted, the head among them; none: no such cluster
}

// Slot is a head that a client deals with. Cluster is the latest that the head confirmed, if it is
// committed.
type Slot struct {
	Head    protocol.NodeID
	Round   uint32 // in which the client deals with the head
	Stage   Stage
	Cluster Cluster
}

// View has the data of a node for the properties, for either core.
type View struct {
	ID         protocol.NodeID
	Client     ClientState
	Head       HeadState
	Round      uint32  // latest round of the node as a head
	Slots      []Slot  // suitors, accepted and committed, each head once
	Own        Cluster // the latest that it found as a head, valid until it finds the next
	Advertised Cluster // its own, or the adopted one

	Deferred []protocol.NodeID // the clients that deferred it in its latest round as a head

	// The other results of its candidates in that round, for witnesses only.
	Denied, Filtered []protocol.NodeID
}

// viewOfLive shows a node to the properties, unless it has left.
func viewOfLive(s refine.State) any {
	if s.Departed {
		return nil
	}
	return ViewOf(s)
}

// ViewOf shows a node of the corrected core.
func ViewOf(s refine.State) *View {
	v := &View{ID: s.ID, Client: ClientState(s.Client()), Head: HeadState(s.Head), Round: s.Round}
	if own, ok := s.Own(); ok {
		v.Own = Cluster(own)
	}
	if advertised, ok := s.Advertised(); ok {
		v.Advertised = Cluster(advertised)
	}
	for _, t := range s.Slots {
		slot := Slot{Head: t.Head, Round: t.Round, Stage: Stage(t.Stage)}
		if t.Stage == refine.Committed {
			slot.Cluster = Cluster{Head: t.Head, Round: t.ClusterRound, Members: t.Members}
		}
		v.Slots = append(v.Slots, slot)
	}
	for _, c := range s.Candidates {
		switch c.Status {
		case refine.Denied:
			v.Denied = append(v.Denied, c.ID)
		case refine.Deferred:
			v.Deferred = append(v.Deferred, c.ID)
		case refine.Filtered:
			v.Filtered = append(v.Filtered, c.ID)
		}
	}
	return v
}

// has reports whether the node is in the cluster.
func (c *Cluster) has(id protocol.NodeID) bool { return slices.Contains(c.Members, id) }

// same reports whether both are the same cluster of the same round, as it is now.
func (c *Cluster) same(o *Cluster) bool {
	return c.Head == o.Head && c.Round == o.Round && slices.Equal(c.Members, o.Members)
}

// clusters returns all clusters in a node's state.
func (v *View) clusters() []Cluster {
	all := []Cluster{v.Own, v.Advertised}
	for _, s := range v.Slots {
		if s.Stage == Committed {
			all = append(all, s.Cluster)
		}
	}
	return slices.DeleteFunc(all, func(c Cluster) bool { return len(c.Members) == 0 })
}

// slot returns the relation of the node to a head.
func (v *View) slot(head protocol.NodeID) (Slot, bool) {
	for _, s := range v.Slots {
		if s.Head == head {
			return s, true
		}
	}
	return Slot{}, false
}

type globalState[S, M any] = model.GlobalState[S, M]

// views goes through the live nodes of a global state.
func views[S, M any](g *globalState[S, M]) iter.Seq[*View] {
	return func(yield func(*View) bool) {
		for _, s := range g.Slots {
			if v, live := s.View.(*View); live && !yield(v) {
				return
			}
		}
	}
}

// viewOf returns the view of a node, if that very incarnation runs.
func viewOf[S, M any](g *globalState[S, M], id protocol.NodeID) (*View, bool) {
	if int(id.Address) >= len(g.Slots) {
		return nil, false
	}
	v, live := g.Slots[id.Address].View.(*View)
	return v, live && v.ID == id
}

// liveViews are the views of the live nodes of a global state.
type liveViews[S, M any] struct{ g *globalState[S, M] }

// Of implements [Views].
func (l liveViews[S, M]) Of(id protocol.NodeID) (*View, bool) { return viewOf(l.g, id) }

// All implements [Views].
func (l liveViews[S, M]) All() iter.Seq[*View] { return views(l.g) }
