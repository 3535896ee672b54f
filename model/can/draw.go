package can

import (
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/traces"
)

// draw shows a state as a map: the zones as they are, the zones as each node knows them, and where the two
// differ.
func (j judge[S, M]) draw(w *world[S, M], p *traces.Picture) {
	for k := range j.space.Dims {
		p.Axes = append(p.Axes, traces.Axis{Name: j.axis(k), High: int(j.space.Size[k])})
	}
	for i, v := range views(w) {
		p.Nodes[i].Status = v.status()
		name := model.NameOf(i)
		p.Nodes[i].At = j.numbers(v.Self.Coord)
		if v.Member {
			p.Regions = append(p.Regions, j.region(name, "", v.Self.Zone))
		}
		for _, q := range v.Known {
			p.Regions = append(p.Regions, j.region(model.NameOf(int(q.ID.Address)), name, q.Zone))
		}
	}
	for i, s := range w.Slots {
		if p.Nodes[i].Status == "ended" && s.Up {
			p.Nodes[i].Status = "departed"
		}
	}
	p.Remarks = j.remarks(w)
}

func (j judge[S, M]) axis(k int) string {
	if j.space.Virtual && k == j.space.Dims-1 {
		return "drawn dimension"
	}
	return fmt.Sprint("dimension ", k)
}

func (j judge[S, M]) numbers(p space.Point) []int {
	var all []int
	for _, v := range p[:j.space.Dims] {
		all = append(all, int(v))
	}
	return all
}

func (j judge[S, M]) region(node, viewer string, z space.Zone) traces.Region {
	return traces.Region{Node: node, Viewer: viewer, Low: j.numbers(z.Low), High: j.numbers(z.High)}
}

// status is what a node is doing, in a word or two.
func (v *View) status() string {
	var parts []string
	switch {
	case v.Joining:
		parts = append(parts, "joining")
	case v.WantsLeave:
		parts = append(parts, "leaving")
	case !v.Member:
		parts = append(parts, "outside")
	}
	switch {
	case v.Proposing:
		parts = append(parts, "asking")
	case v.Handing:
		parts = append(parts, "handing over")
	case v.Busy:
		parts = append(parts, "busy")
	}
	return strings.Join(parts, ", ")
}

// text writes a zone as the states do.
func (j judge[S, M]) text(z space.Zone) string {
	t := space.Text{Dims: j.space.Dims}
	t.Zone(z)
	return string(t.Dst)
}

// remarks lists, property by property, what is not as it must be at rest, and what is broken for good.
func (j judge[S, M]) remarks(w *world[S, M]) []traces.Remark {
	var all []traces.Remark
	owners := members(w)
	remark := func(property string, who protocol.NodeID, format string, args ...any) {
		r := traces.Remark{Property: property, Text: fmt.Sprintf(format, args...), Minor: property == "NobodyBusy"}
		if !who.IsNobody() {
			r.Node = model.NameOf(int(who.Address))
		}
		all = append(all, r)
	}
	j.remarkZones(owners, remark)
	for _, a := range owners {
		j.remarkView(a, owners, remark)
	}
	j.remarkRoutes(owners, remark)
	for i, v := range views(w) {
		switch {
		case v.Proposing:
			remark("NobodyBusy", v.Self.ID, "%s has asked and is waiting for answers", model.NameOf(i))
		case v.Busy:
			remark("NobodyBusy", v.Self.ID, "%s is busy: it has promised to stand still, or is finishing a change of its own", model.NameOf(i))
		}
	}
	for _, b := range []struct {
		bit            uint32
		property, text string
	}{
		{brokenConflict, "NoConflict", "two rounds in conflict have both taken effect"},
		{brokenCancelled, "CancelledStays", "a round that was cancelled has taken effect, or one that took effect is taken for cancelled"},
		{brokenCommand, "OneCommand", "one round was carried out as two different commands"},
	} {
		if past(w).broken&b.bit != 0 {
			remark(b.property, protocol.NodeID{}, "%s", b.text)
		}
	}
	return all
}

type remarker func(property string, who protocol.NodeID, format string, args ...any)

func (j judge[S, M]) remarkZones(owners []*View, remark remarker) {
	for i, a := range owners {
		for _, b := range owners[i+1:] {
			if both := a.Self.Zone.Intersect(b.Self.Zone); !both.Empty() {
				remark("NoOverlap", a.Self.ID, "%v and %v both own %s", a.Self.ID, b.Self.ID, j.text(both))
			}
		}
		if !a.Self.Zone.Contains(a.Self.Coord) {
			remark("OwnerInside", a.Self.ID, "%v lies outside of its own zone", a.Self.ID)
		}
	}
	if !space.Covered(j.space.Whole(), zonesOf(owners)) {
		remark("NoGap", protocol.NodeID{}, "a part of the space belongs to nobody")
	}
}

// remarkView compares what a node knows with what is.
func (j judge[S, M]) remarkView(a *View, owners []*View, remark remarker) {
	known := map[protocol.NodeID]Seen{}
	for _, q := range a.Known {
		known[q.ID] = q
		if find(owners, q) == nil {
			remark("ViewsAgree", a.Self.ID, "%v believes that %v owns %s; it owns nothing", a.Self.ID, q.ID, j.text(q.Zone))
		}
	}
	for _, b := range owners {
		if a == b {
			continue
		}
		_, adjacent := a.Self.Zone.Abuts(b.Self.Zone)
		property := "ViewsAgree"
		if adjacent {
			property = "NeighboursKnow"
		}
		q, knows := known[b.Self.ID]
		switch {
		case !knows && adjacent:
			remark(property, a.Self.ID, "%v does not know %v, whose zone %s touches its own", a.Self.ID, b.Self.ID, j.text(b.Self.Zone))
		case !knows && near(a, b, owners):
			remark(property, a.Self.ID, "%v does not know %v, a neighbour of its neighbour", a.Self.ID, b.Self.ID)
		case knows && q.Zone != b.Self.Zone:
			remark(property, a.Self.ID, "%v believes that %v owns %s; it owns %s", a.Self.ID, b.Self.ID, j.text(q.Zone), j.text(b.Self.Zone))
		case knows && q != b.Self:
			remark(property, a.Self.ID, "%v knows %v by an older record", a.Self.ID, b.Self.ID)
		case knows && !near(a, b, owners):
			remark(property, a.Self.ID, "%v still knows %v, which is no longer near", a.Self.ID, b.Self.ID)
		}
	}
	if a.Holes {
		remark("ViewsAgree", a.Self.ID, "%v knows a zone whose owner is dead", a.Self.ID)
	}
}

// remarkRoutes names the ways on which greedy routing gets stuck.
func (j judge[S, M]) remarkRoutes(owners []*View, remark remarker) {
	for _, from := range owners {
		for _, to := range owners {
			for _, p := range to.tried() {
				if end := routedTo(from, to, p, owners); end != to {
					remark("Routable", from.Self.ID, "a message from %v to %s, which %v owns, gets stuck at %v, who knows nobody nearer to it", from.Self.ID, j.point(p), to.Self.ID, end.Self.ID)
					break
				}
			}
		}
	}
}

// point writes a point as the states do.
func (j judge[S, M]) point(p space.Point) string {
	t := space.Text{Dims: j.space.Dims}
	t.Point(p)
	return string(t.Dst)
}
