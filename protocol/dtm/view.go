package dtm

import "github.com/canvass-grid/canvass/protocol"

// View is a host's report of its surroundings.
type View struct {
	Label    Label
	Children []Child
	Siblings []Child // the children of the anchor; the host itself may be among them
}

// childrenNear and siblingsNear are how many children and siblings are near a point.
const (
	childrenNear = 4
	siblingsNear = 2
)

// Around lists the hosts whose segments are near a point of a host's segment: the host, the
// children that attach nearest the point, the anchor, and the siblings that attach nearest the
// host.
func Around(v View, at int64) []protocol.NodeID {
	self := v.Label[0]
	hosts := append([]protocol.NodeID{self.Host}, nearest(v.Children, at, childrenNear, self.Host)...)
	if len(v.Label) > 1 {
		hosts = append(hosts, v.Label[1].Host)
		hosts = append(hosts, nearest(v.Siblings, self.At, siblingsNear, self.Host)...)
	}
	return hosts
}

// nearest returns the hosts that attach nearest a coordinate, nearest first, then by identity.
func nearest(all []Child, at int64, most int, except protocol.NodeID) []protocol.NodeID {
	best := make([]Child, 0, most+1)
	for _, c := range all {
		if c.Host == except {
			continue
		}
		i := len(best)
		for i > 0 && nearer(c, best[i-1], at) {
			i--
		}
		if i == most {
			continue
		}
		best = append(best, c)
		copy(best[i+1:], best[i:])
		best[i] = c
		best = best[:min(len(best), most)]
	}
	hosts := make([]protocol.NodeID, len(best))
	for i, c := range best {
		hosts[i] = c.Host
	}
	return hosts
}

func nearer(a, b Child, at int64) bool {
	x, y := max(a.At-at, at-a.At), max(b.At-at, at-b.At)
	return x < y || x == y && a.Host.Compare(b.Host) < 0
}
