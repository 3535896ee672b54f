package dtm

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/dtm"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties.
type oracle struct {
	sim.Violation
	run  *run
	kept map[[2]protocol.NodeID]int64 // predictions among members so far
	seen map[string]int
}

func newOracle(r *run) *oracle {
	return &oracle{run: r, kept: map[[2]protocol.NodeID]int64{}, seen: map[string]int{}}
}

// live goes through the hosts that run.
func (o *oracle) live(yield func(*dtm.State) bool) {
	for i := range o.run.Len() {
		if o.run.Live(i) && !yield(o.run.State(i)) {
			return
		}
	}
}

// member reports whether a host is in the tree.
func member(s *dtm.State) bool {
	return s.Phase == dtm.Member && s.Departure.Stage != dtm.Committed
}

// idle reports whether no leave, healing or change of a position is in progress at any host.
func (o *oracle) idle() bool {
	for s := range o.live {
		if s.Departure.Stage != dtm.Staying || s.Lock != (dtm.Lock{}) {
			return false
		}
		if s.Phase == dtm.Member && !o.current(s) {
			return false
		}
	}
	return true
}

// current reports whether a host knows its anchor, its children know it, and all of them run.
func (o *oracle) current(s *dtm.State) bool {
	behind := func(b dtm.Branch) bool { return !o.run.Running(b.Host) || b.Acked != s.Version }
	anchored := s.Anchor.IsNobody() || s.Heard > 0 && o.run.Running(s.Anchor)
	return anchored && s.Former.IsNobody() && !slices.ContainsFunc(s.Branches, behind)
}

// step is called after each step that changed a host or had events.
func (o *oracle) step(node int, events []protocol.Event) {
	changed := false
	for _, e := range events {
		o.seen[e.Name]++
		changed = changed || e.Name != dtm.EventIgnore
	}
	if !o.run.Live(node) {
		return
	}
	s := o.run.State(node)
	if slices.ContainsFunc(s.Branches, func(b dtm.Branch) bool { return b.At < 0 || b.At > s.Length }) {
		o.Violate("Place", "%s", sim.InStep(s.ID, events))
	}
	if changed {
		o.checkPredictions(sim.InStep(s.ID, events))
	}
}

// truth returns the path of a member to the root along the segments that the hosts hold, if they
// agree with their anchors about them.
func (o *oracle) truth(s *dtm.State) (dtm.Label, bool) {
	var label dtm.Label
	for range o.run.Len() + 1 {
		label = append(label, dtm.Hop{Host: s.ID, At: s.At, Length: s.Length})
		if s.Anchor.IsNobody() {
			return label, true
		}
		if !o.run.Running(s.Anchor) {
			return nil, false
		}
		anchor := o.run.State(int(s.Anchor.Address))
		own := dtm.Child{Host: s.ID, At: s.At, Length: s.Length}
		if !member(anchor) || !slices.ContainsFunc(anchor.Branches, func(b dtm.Branch) bool { return b.Child == own }) {
			return nil, false
		}
		s = anchor
	}
	return nil, false
}

// checkPredictions compares the predictions among members with those before, if all agree.
func (o *oracle) checkPredictions(where string) {
	var labels []dtm.Label
	for s := range o.live {
		if !member(s) {
			continue
		}
		label, agreed := o.truth(s)
		if !agreed {
			return
		}
		labels = append(labels, label)
	}
	for i, a := range labels {
		for _, b := range labels[:i] {
			now, one := dtm.Predict(a, b)
			pair := [2]protocol.NodeID{a[0].Host, b[0].Host}
			before, known := o.kept[pair]
			if known && (!one || now != before) {
				o.Violate("LeaveKeeps", "%v and %v: %d, before %d; %s", pair[0], pair[1], now, before, where)
			}
			o.kept[pair] = now
		}
	}
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	var labels []dtm.Label
	roots := 0
	for s := range o.live {
		label, agreed := o.truth(s)
		if s.Anchor.IsNobody() {
			roots++
		}
		anchor := o.run.State(int(s.Anchor.Address))
		switch {
		case s.Phase != dtm.Member || s.Departure.Stage != dtm.Staying || s.Lock != (dtm.Lock{}) || !o.current(s):
			return "NobodyLocked", "at " + s.ID.String()
		case !agreed || !slices.Equal(label, s.Label()):
			return "LabelsTrue", "at " + s.ID.String()
		case !s.Anchor.IsNobody() && !slices.Equal(s.Siblings, anchor.Children()):
			return "SiblingsKnown", "at " + s.ID.String()
		}
		labels = append(labels, label)
	}
	if roots > 1 {
		return "Acyclic", "there are two roots"
	}
	for s := range o.live {
		if !o.aggregated(s, labels) {
			return "Aggregated", "at " + s.ID.String()
		}
	}
	return "", ""
}

// aggregated reports whether a host has been reported the hosts nearest to it on the side of each
// neighbour.
func (o *oracle) aggregated(s *dtm.State, labels []dtm.Label) bool {
	sides := map[protocol.NodeID][]dtm.Label{}
	for _, label := range labels {
		at := slices.IndexFunc(label, func(h dtm.Hop) bool { return h.Host == s.ID })
		switch {
		case at > 0:
			sides[label[at-1].Host] = append(sides[label[at-1].Host], label)
		case at < 0:
			sides[s.Anchor] = append(sides[s.Anchor], label)
		}
	}
	for _, l := range s.Links {
		side := sides[l.Peer]
		slices.SortFunc(side, func(a, b dtm.Label) int {
			x, _ := dtm.Predict(s.Label(), a)
			y, _ := dtm.Predict(s.Label(), b)
			if x != y {
				return int(x - y)
			}
			return a[0].Host.Compare(b[0].Host)
		})
		side = side[:min(len(side), o.run.cfg.AggregateLimit)]
		if !slices.EqualFunc(l.Heard, side, slices.Equal[dtm.Label]) {
			return false
		}
	}
	return true
}
