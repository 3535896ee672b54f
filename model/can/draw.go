package can

import (
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
	"github.com/canvass-grid/canvass/traces"
)

// draw shows a state as a map, with the broken properties of the whole run.
func (o oracle[S, M]) draw(g *globalState[S, M], p *traces.Picture) {
	Sketch(o.space, LiveViews(g, func(s *model.Slot[S]) *View { return s.View.(*View) }), p)
	for _, b := range []struct {
		bit            uint32
		property, text string
	}{
		{brokenConflict, "NoConflict", "two rounds in conflict both took effect"},
		{brokenCancelled, "CancelledStays",
			"a cancelled round took effect, or a node treats a round that took effect as cancelled"},
		{brokenChange, "OneCommand", "one round was executed as two different changes"},
	} {
		if past(g).broken&b.bit != 0 {
			p.Remarks = append(p.Remarks, traces.Remark{Property: b.property, Text: b.text})
		}
	}
	for i, v := range views(g) {
		if text := past(g).untrue(i, v); text != "" {
			p.Remarks = append(p.Remarks, traces.Remark{Property: "Truthful", Text: text, Node: p.Nodes[i].Name})
		}
	}
}

// LiveViews returns the view of each node for [Sketch], nil for a node that is not live.
func LiveViews[S, M any](g *model.GlobalState[S, M], of func(*model.Slot[S]) *View) []*View {
	all := make([]*View, len(g.Slots))
	for i := range all {
		if g.Live(i) {
			all[i] = of(g.Slots[i])
		}
	}
	return all
}

// Sketch adds a map to a picture of nodes: the zones as they are, the zones in the view of each
// node, and where the two differ. There is a view for each node, nil for a node that is not live.
func Sketch(s space.Space, views []*View, p *traces.Picture) {
	c := chart{s, p}
	for k := range s.Dims {
		p.Axes = append(p.Axes, traces.Axis{Name: c.axis(k), High: int(s.Size[k])})
	}
	for i, v := range views {
		if v == nil {
			if p.Nodes[i].Status == "ended" {
				p.Nodes[i].Status = "departed"
			}
			continue
		}
		p.Nodes[i].Status, p.Nodes[i].At = v.status(), c.numbers(v.Self.Coord)
		if v.Member {
			p.Regions = append(p.Regions, c.region(p.Nodes[i].Name, "", v.Self.Zone))
		}
		for _, q := range v.Known {
			p.Regions = append(p.Regions, c.region(c.name(q.ID), p.Nodes[i].Name, q.Zone))
		}
	}
	c.remarks(views)
}

// chart is a picture to which a map is added.
type chart struct {
	space space.Space
	p     *traces.Picture
}

// name returns the name of a node.
func (c chart) name(id protocol.NodeID) string { return c.p.Nodes[id.Address].Name }

func (c chart) axis(k int) string {
	if c.space.IsVirtual(k) {
		return "drawn dimension"
	}
	return fmt.Sprint("dimension ", k)
}

func (c chart) numbers(p space.Point) []int {
	var all []int
	for _, v := range p[:c.space.Dims] {
		all = append(all, int(v))
	}
	return all
}

func (c chart) region(node, viewer string, z space.Zone) traces.Region {
	return traces.Region{Node: node, Viewer: viewer, Low: c.numbers(z.Low), High: c.numbers(z.High)}
}

// status describes in a word or two what a node is doing.
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

// remarks lists, property by property, the violations in a quiescent state.
func (c chart) remarks(views []*View) {
	var owners []*View
	for _, v := range views {
		if v != nil && v.Member {
			owners = append(owners, v)
		}
	}
	c.remarkZones(owners)
	for _, a := range owners {
		c.remarkView(a, owners)
	}
	c.remarkRoutes(owners)
	for _, v := range views {
		if v == nil {
			continue
		}
		if l := promisedTo(v, views); l != nil {
			if text := v.Misfit(l); text != "" {
				c.remark("ViewsFit", v.Self.ID, "%s", text)
			}
		}
		switch {
		case v.Proposing:
			c.remark("NobodyBusy", v.Self.ID, "%s has proposed and waits for answers", c.name(v.Self.ID))
		case v.Busy:
			c.remark(
				"NobodyBusy",
				v.Self.ID,
				"%s is busy: it has made a promise, or finishes a change of its own",
				c.name(v.Self.ID),
			)
		}
	}
}

// promisedTo is the view of the proposer that a node has promised to, nil if there is none.
func promisedTo(v *View, views []*View) *View {
	for _, l := range views {
		if l != nil && l.Self.ID == v.Promised && !v.Promised.IsNobody() {
			return l
		}
	}
	return nil
}

func (c chart) remark(property string, who protocol.NodeID, format string, args ...any) {
	r := traces.Remark{Property: property, Text: fmt.Sprintf(format, args...), Minor: property == "NobodyBusy"}
	if !who.IsNobody() {
		r.Node = c.name(who)
	}
	c.p.Remarks = append(c.p.Remarks, r)
}

func (c chart) remarkZones(owners []*View) {
	for i, a := range owners {
		for _, b := range owners[i+1:] {
			if both := a.Self.Zone.Intersect(b.Self.Zone); !both.Empty() {
				c.remark("NoOverlap", a.Self.ID, "%v and %v both own %s", a.Self.ID, b.Self.ID, c.space.ZoneText(both))
			}
		}
		if !a.Self.Zone.Contains(a.Self.Coord) {
			c.remark("OwnerInside", a.Self.ID, "%v lies outside of its own zone", a.Self.ID)
		}
	}
	if gap := c.gap(zonesOf(owners)); !gap.Empty() {
		c.remark("NoGap", protocol.NodeID{}, "no node owns %s", c.space.ZoneText(gap))
	}
}

// gap returns a part of the space that no zone covers, as large as their borders allow, or an empty
// zone.
func (c chart) gap(zones []space.Zone) space.Zone {
	left := c.space.Whole()
	if space.Covered(left, zones) {
		return space.Zone{}
	}
	for k := range c.space.Dims {
		borders := []int32{left.Low[k], left.High[k]}
		for _, z := range zones {
			borders = append(borders, z.Low[k], z.High[k])
		}
		slices.Sort(borders)
		borders = slices.Compact(borders)
		for i := range len(borders) - 1 {
			slab := left
			slab.Low[k], slab.High[k] = borders[i], borders[i+1]
			if !space.Covered(slab, zones) {
				left = slab
				break
			}
		}
	}
	return left
}

// remarkView compares the records of a node with the present ones.
func (c chart) remarkView(a *View, owners []*View) {
	known := map[protocol.NodeID]Seen{}
	for _, q := range a.Known {
		known[q.ID] = q
		if find(owners, q) == nil {
			c.remark(
				"ViewsAgree",
				a.Self.ID,
				"%v believes that %v owns %s; it owns nothing",
				a.Self.ID,
				q.ID,
				c.space.ZoneText(q.Zone),
			)
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
			c.remark(
				property,
				a.Self.ID,
				"%v does not know %v, whose zone %s touches its own",
				a.Self.ID,
				b.Self.ID,
				c.space.ZoneText(b.Self.Zone),
			)
		case !knows && near(a, b, owners):
			c.remark(property, a.Self.ID, "%v does not know %v, a neighbour of its neighbour", a.Self.ID, b.Self.ID)
		case knows && q.Zone != b.Self.Zone:
			c.remark(
				property,
				a.Self.ID,
				"%v believes that %v owns %s; it owns %s",
				a.Self.ID,
				b.Self.ID,
				c.space.ZoneText(q.Zone),
				c.space.ZoneText(b.Self.Zone),
			)
		case knows && q != b.Self:
			c.remark(property, a.Self.ID, "%v knows %v by an older record", a.Self.ID, b.Self.ID)
		case knows && !near(a, b, owners):
			c.remark(property, a.Self.ID, "%v still knows %v, which is no longer near", a.Self.ID, b.Self.ID)
		}
	}
	for _, hole := range a.Holes {
		c.remark(
			"ViewsAgree",
			a.Self.ID,
			"%v knows that %v is dead, but not which node took its zone %s over",
			a.Self.ID,
			hole.ID,
			c.space.ZoneText(hole.Zone),
		)
	}
}

// remarkRoutes names the routes on which greedy routing gets stuck.
func (c chart) remarkRoutes(owners []*View) {
	for _, from := range owners {
		for _, to := range owners {
			for _, p := range to.tried() {
				if end := routedTo(from, to, p, owners); end != to {
					c.remark(
						"Routable",
						from.Self.ID,
						"a message from %v to %s, which %v owns, gets stuck at %v, which knows no nearer node",
						from.Self.ID,
						c.space.PointText(p),
						to.Self.ID,
						end.Self.ID,
					)
					break
				}
			}
		}
	}
}
