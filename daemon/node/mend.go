package node

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
)

// Two neighbours on the map that end at once can leave a part of it without an owner, which no node
// takes over. Or others take over, but do not learn of each other. If nothing on such a map changes
// for gapPatience, a witness has a new one made.
const (
	mapEvery    = 4 * time.Second
	gapPatience = 20 * time.Second
)

// gapWatch finds a map that stays broken.
type gapWatch struct {
	seen  string
	since time.Duration // by the clock of the node
}

// stays reports whether the map is broken, and has not changed for gapPatience. While a node does
// not answer nothing is known.
func (w *gapWatch) stays(nodes []api.NodeReport, now time.Duration) bool {
	var lines []string
	for _, n := range nodes {
		lines = append(lines, fmt.Sprint(n.Node, n.Phase, n.Zone, n.Gone, n.Open, n.Error))
	}
	slices.Sort(lines)
	if text := strings.Join(lines, "\n"); api.Broken(nodes) == "" || text != w.seen {
		w.seen, w.since = text, now
		return false
	}
	return now-w.since >= gapPatience
}

// mend looks at the map from time to time, if the node is a witness.
func (n *Node) mend() {
	if slices.Contains(n.config.Grid.Witnesses, n.self.Address) {
		n.after(mapEvery, func() { n.reports.survey(false, n.surveyed) })
	}
}

// surveyed takes what all daemons say of the map.
func (n *Node) surveyed(nodes []api.NodeReport) {
	if !n.gap.stays(nodes, n.clock()) {
		n.mend()
		return
	}
	n.gap = gapWatch{}
	n.log.Warn("the map stays broken: the witnesses are asked to close the grid", "why", api.Broken(nodes))
	n.regrid(func(err error) {
		if err != nil {
			n.log.Warn("the grid was not closed", "error", err)
		}
		n.mend()
	})
}
