package node

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
)

// Two neighbours on the map that end at once can leave a part of it without an owner, which no node
// takes over. If nothing on such a map changes for gapPatience, a witness has a new one made.
const (
	mapEvery    = 4 * time.Second
	gapPatience = 20 * time.Second
)

// gapWatch finds a gap that stays.
type gapWatch struct {
	seen  string
	since time.Duration // by the clock of the node
}

// stays reports whether the map has a gap, and has not changed for gapPatience. While a node does
// not answer nothing is known.
func (w *gapWatch) stays(nodes []api.NodeReport, now time.Duration) bool {
	var lines []string
	for _, n := range nodes {
		lines = append(lines, fmt.Sprint(n.Node, n.Phase, n.Zone, n.Error))
	}
	slices.Sort(lines)
	if text := strings.Join(lines, "\n"); api.Gap(nodes) == 0 || text != w.seen {
		w.seen, w.since = text, now
		return false
	}
	return now-w.since >= gapPatience
}

// mend looks at the map until the node stops, if the node is a witness.
func (n *Node) mend(ctx context.Context) {
	if !slices.Contains(n.config.Grid.Witnesses, n.self.Address) {
		return
	}
	ticker := time.NewTicker(mapEvery)
	defer ticker.Stop()
	var watch gapWatch
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.stopped:
			return
		case <-ticker.C:
		}
		nodes, err := users{n}.Nodes(ctx)
		if err != nil || !watch.stays(nodes, n.clock()) {
			continue
		}
		n.log.Warn("the map has a gap that stays: the witnesses are asked to close the grid", "gap", api.Gap(nodes))
		if err := (users{n}).Regrid(ctx); err != nil {
			n.log.Warn("the grid was not closed", "error", err)
		}
		watch = gapWatch{}
	}
}
