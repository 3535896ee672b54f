package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/canvass-grid/canvass/daemon/api"
)

// Health says whether the loop answers within scrapePatience, and what keeps the node from running
// jobs. A disk that fails is no reason: it ends the daemon.
func (u users) Health(ctx context.Context) (api.Health, error) {
	bounded, cancel := context.WithTimeout(ctx, scrapePatience)
	defer cancel()
	reasons, err := on(bounded, u.Node, func() ([]string, error) { return u.unready(), nil })
	if err != nil {
		text := fmt.Sprintf("The loop of the daemon has not answered within %v.", scrapePatience)
		if errors.Is(err, context.DeadlineExceeded) {
			err = ctx.Err()
		}
		return api.Health{Version: api.Version, Reasons: []string{text}}, err
	}
	return api.Health{Version: api.Version, Live: true, Ready: len(reasons) == 0, Reasons: reasons}, nil
}

// unready says, in sentences, why the node does not do its part now.
func (n *Node) unready() []string {
	reasons := []string{}
	if text := n.mayNot(); text != "" {
		reasons = append(reasons, text)
	}
	return append(reasons, lacks(n.report())...)
}

// lacks says what a node lacks on the map.
func lacks(r api.NodeReport) (reasons []string) {
	if r.Phase != memberPhase {
		return []string{"It has no part of the map: it is " + r.Phase + "."}
	}
	if len(r.Gone) > 0 {
		reasons = append(reasons, fmt.Sprintf("It misses the zone of its neighbour %v, which is dead.", r.Gone[0]))
	}
	if r.Open {
		reasons = append(reasons, "On a part of the border of its zone it knows no neighbour that lives.")
	}
	if r.Draining {
		reasons = append(reasons, "It leaves the grid, and takes no new jobs.")
	}
	return reasons
}
