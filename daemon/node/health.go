package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Health says whether the loop answers within scrapePatience, and what keeps the node from running
// jobs, or soon will: a certificate that is not renewed. A disk that fails is no reason: it ends
// the daemon.
func (u users) Health(ctx context.Context) (api.Health, error) {
	bounded, cancel := context.WithTimeout(ctx, scrapePatience)
	defer cancel()
	reasons, err := on(bounded, u.Node, func() ([]string, error) { return u.unready(), nil })
	ready := err == nil && len(reasons) == 0
	if err != nil {
		text := fmt.Sprintf("The loop of the daemon has not answered within %v.", scrapePatience)
		if errors.Is(err, context.DeadlineExceeded) {
			err = ctx.Err()
		}
		return api.Health{Version: api.Version, Reasons: []string{text}}, err
	}
	if c := u.certificate(); c != nil && c.Warning != "" {
		ready = ready && c.Left > 0 // until then it does its part
		reasons = append(reasons, c.Warning)
	}
	return api.Health{Version: api.Version, Live: true, Ready: ready, Reasons: reasons}, nil
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

// lookAfterHost asks the machine whether tasks can run, and has the cores take tasks or none.
func (n *Node) lookAfterHost() {
	f := &n.fitness
	ails := n.host.Ails()
	n.cordon(cmp.Or(ails, f.loss))
	if f.loss == "" || ails != "" || f.trying || n.clock() < f.again {
		return
	}
	f.trying = true
	n.host.Try(func(err error) {
		f.trying = false
		if err != nil {
			n.ails(err.Error())
			return
		}
		f.loss = ""
		n.cordon(n.host.Ails())
	})
}

// ails notes that a task could not run here.
func (n *Node) ails(why string) {
	f := &n.fitness
	f.loss, f.again = why, n.clock()+min(unfitMax, unfitMin<<min(f.losses, 10))
	f.losses++
	n.cordon(why)
}

// isWell notes that a task has run to its end here.
func (n *Node) isWell() { n.fitness.losses = 0 }

// looks are looks at files that a job names. Their file system may never answer, as that of a
// server which is down. So they are beside the goroutine of the node, and so many at most: each
// holds a thread as long as it lasts.
type looks chan struct{}

// How many looks there are at once, and how long each may take before the host is not awaited.
const (
	looksLimit   = 8
	lookPatience = 5 * time.Second
)

// errLook says that a host could not find out whether a task could start.
var errLook = errors.New("a file system does not answer; mend it, or unmount it")

// do looks, and calls done on another goroutine.
func (l looks) do(patience time.Duration, look func() (misfit string, err error), done func(string, error)) {
	type found struct {
		misfit string
		err    error
	}
	answer := make(chan found, 1)
	select {
	case l <- struct{}{}:
		go func() {
			defer func() { <-l }()
			misfit, err := look()
			answer <- found{misfit, err}
		}()
	default:
		answer <- found{err: fmt.Errorf("%w: %d looks for the commands of tasks have not ended", errLook, looksLimit)}
	}
	go func() {
		select {
		case f := <-answer:
			done(f.misfit, f.err)
		case <-time.After(patience):
			done("", fmt.Errorf("%w: the look for the command of a task has taken %v", errLook, patience))
		}
	}()
}

// cordon has the cores take no tasks for a reason, or take them again.
func (n *Node) cordon(why string) {
	f := &n.fitness
	before := f.noTasks
	f.noTasks = why
	switch {
	case (before == "") == (why == ""):
	case why == "":
		n.log.Info("the node takes tasks again")
		n.loop.Command(peerID, peer.Command{Kind: peer.CommandUncordon})
	default:
		n.log.Warn("the node takes no tasks", "why", why)
		n.loop.Command(peerID, peer.Command{Kind: peer.CommandCordon})
	}
}
