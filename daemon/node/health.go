package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Health reports whether the loop answers within scrapePatience, and the reasons why the node
// cannot run jobs, or soon will not: a certificate that is not renewed. A failed disk is no reason:
// it ends the daemon.
func (u users) Health(ctx context.Context) (api.Health, error) {
	bounded, cancel := context.WithTimeout(ctx, scrapePatience)
	defer cancel()
	reasons, err := life.On(bounded, u, func() ([]string, error) { return unready(u.mayNot(), u.reports.own()), nil })
	ready := err == nil && len(reasons) == 0
	if err != nil {
		text := fmt.Sprintf("The loop of the daemon has not answered within %v.", scrapePatience)
		if errors.Is(err, context.DeadlineExceeded) {
			err = ctx.Err()
		}
		return api.Health{Version: api.Version, Reasons: []string{text}}, err
	}
	if c := u.admission.certificate(); c != nil && c.Warning != "" {
		ready = ready && c.Left > 0 // until then it does its part
		reasons = append(reasons, c.Warning)
	}
	return api.Health{Version: api.Version, Live: true, Ready: ready, Reasons: reasons}, nil
}

// unready says, in sentences, why the node does not do its part now.
func unready(noLease string, r api.NodeReport) []string {
	reasons := []string{}
	if noLease != "" {
		reasons = append(reasons, noLease)
	}
	return append(reasons, lacks(r)...)
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
		reasons = append(reasons, "Part of its zone boundary has no neighbour that is alive.")
	}
	if r.NoTasks != "" {
		reasons = append(reasons, "It takes no tasks: "+r.NoTasks+".")
	}
	if r.Draining {
		reasons = append(reasons, "It leaves the grid, and takes no new jobs.")
	}
	return reasons
}

// fitness is whether tasks can run here. A node where they cannot takes none: otherwise it would
// lose one after the other, and each idle moment would bring it the next.
type fitness struct {
	*life.Runtime

	noTasks string        // why the cores take no tasks; empty: they do
	loss    string        // with what a task was lost here, until a try shows that tasks can run again
	losses  int           // tasks and tries that failed in a row
	again   time.Duration // when tasks are tried again
	trying  bool
}

// How long a node that has lost a task takes none: longer each time in a row, and at least until it
// has tried whether tasks can run.
const (
	unfitMin = 2 * time.Second
	unfitMax = time.Minute
)

// look asks the machine whether tasks can run, and has the cores take tasks or none.
func (f *fitness) look() {
	ails := f.Host.Ails()
	f.cordon(cmp.Or(ails, f.loss))
	if f.loss == "" || ails != "" || f.trying || f.Clock() < f.again {
		return
	}
	f.trying = true
	f.Host.Try(func(err error) {
		f.trying = false
		if err != nil {
			f.noteLoss(err.Error())
			return
		}
		f.loss = ""
		f.cordon(f.Host.Ails())
	})
}

// noteLoss notes that a task could not run here.
func (f *fitness) noteLoss(why string) {
	f.loss, f.again = why, f.Clock()+min(unfitMax, unfitMin<<min(f.losses, 10))
	f.losses++
	f.cordon(why)
}

// noteEnd notes that a task has run to its end here.
func (f *fitness) noteEnd() { f.losses = 0 }

// cordon has the cores take no tasks for a reason, or take them again.
func (f *fitness) cordon(why string) {
	before := f.noTasks
	f.noTasks = why
	switch {
	case (before == "") == (why == ""):
	case why == "":
		f.Log.Info("the node takes tasks again")
		f.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandUncordon})
	default:
		f.Log.Warn("the node takes no tasks", "why", why)
		f.Loop.Command(life.PeerID, peer.Command{Kind: peer.CommandCordon})
	}
}
