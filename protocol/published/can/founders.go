package can

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/space"
)

// Founders returns a network that is up and running: the first node owns the whole space, and each
// of the others in turn has split the zone that contains its coordinate. All tables are complete,
// all instance numbers are FirstInstance, and the timers of State.Timers are pending. It panics if
// there is not one address a coordinate, or if a coordinate is outside of the space or taken.
func Founders(cfg *Config, coords []space.Point, addresses []protocol.Address) []State {
	if len(coords) != len(addresses) {
		panic("published: founders need one address a coordinate")
	}
	var rs []Record
	for i, c := range coords {
		rs = found(cfg, rs, Record{
			ID: protocol.NodeID{Address: addresses[i], Incarnation: 1}, Coord: c, Instance: FirstInstance,
		})
	}
	slices.SortFunc(rs, func(a, b Record) int { return a.ID.Compare(b.ID) })
	var states []State
	for _, a := range addresses {
		i := slices.IndexFunc(rs, func(r Record) bool { return r.ID.Address == a })
		s := State{Phase: Member, Self: Entry{Record: rs[i]}}
		for _, r := range neighbourhood(rs[i].Zone, rs) {
			if r.ID != rs[i].ID {
				s.Nodes = append(s.Nodes, Entry{Record: r})
			}
		}
		states = append(states, s)
	}
	return states
}

// found adds a node to a network.
func found(cfg *Config, rs []Record, r Record) []Record {
	if len(rs) == 0 && cfg.Space.Whole().Contains(r.Coord) {
		r.Zone = cfg.Space.Whole()
		return []Record{r}
	}
	owner := slices.IndexFunc(rs, func(o Record) bool { return o.Zone.Contains(r.Coord) })
	if owner < 0 {
		panic("published: the coordinate of a founder is outside of the space")
	}
	o := rs[owner]
	keep, ok := cfg.Space.Split(o.Splits, o.Coord, r.Coord)
	if !ok {
		panic("published: two founders at one coordinate")
	}
	r.Zone, r.Splits = o.Zone, o.Splits
	rs[owner] = cut(o, keep)
	return append(rs, cut(r, keep.Opposite()))
}
