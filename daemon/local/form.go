package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
)

const (
	batch        = 16 // daemons that start at a time
	surveyPause  = 50 * time.Millisecond
	surveyOfNode = 5 * time.Millisecond // the first daemon asks all others
)

// ExitFenced is the exit code of a daemon whose incarnation is over: it can begin another one at
// once.
const ExitFenced = 3

// Form starts all daemons and waits until they are a grid: all are members, each in a cluster with
// others. It returns what they say of themselves. Few start at a time: if a hundred did at once,
// each would greet and measure all others at once, and keep the witnesses from the processor until
// leases run out. A daemon whose lease has run out nevertheless is started again.
func (g *Grid) Form(ctx context.Context) (nodes []api.NodeReport, err error) {
	for first := range g.Nodes {
		if err := g.Start(first); err != nil {
			return nil, err
		}
		if started := first + 1; started%batch == 0 || started == g.Nodes {
			if nodes, err = g.await(ctx, started); err != nil {
				return nil, err
			}
		}
	}
	return nodes, nil
}

// await waits until the daemons that have started are a grid.
func (g *Grid) await(ctx context.Context, started int) ([]api.NodeReport, error) {
	for {
		nodes, err := api.NewClient(g.Socket(0)).Nodes(ctx)
		if err == nil && formed(nodes, started) {
			return nodes, nil
		}
		if failed := g.pause(ctx, max(surveyPause, surveyOfNode*time.Duration(started))); failed != nil {
			return nil, errors.Join(failed, err)
		}
	}
}

// pause waits, and looks after daemons that end meanwhile.
func (g *Grid) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case i := <-g.ended:
		how := g.Gone(i)
		if how.ExitCode() != ExitFenced {
			return fmt.Errorf("daemon n%d has ended (%v); its log is %s", i+1, how, g.Log(i))
		}
		return g.Start(i)
	case <-time.After(d):
		return nil
	}
}

// formed reports whether the wanted number of daemons are members, and each in a cluster with
// others.
func formed(nodes []api.NodeReport, want int) bool {
	if len(nodes) < want {
		return false
	}
	for _, n := range nodes {
		if n.Error != "" || n.Zone == "" || want > 1 && len(n.Cluster) < min(want, config.ClusterSize) {
			return false
		}
	}
	return true
}
