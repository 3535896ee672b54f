package tasks

import (
	"cmp"
	"time"

	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// Fitness is whether tasks can run here. A node where they cannot takes none: otherwise it would
// lose one after the other, and each idle moment would bring it the next.
type Fitness struct {
	*life.Runtime

	NoTasks string        // why the cores take no tasks; empty: they do
	loss    string        // why a task was lost here, until a try shows that tasks can run again
	losses  int           // tasks and tries that failed in a row
	again   time.Duration // when tasks are tried again
	trying  bool
}

// How long a node takes no tasks after it has lost one: longer each time in a row, and at least
// until a try has shown that tasks can run.
const (
	unfitMin = 2 * time.Second
	unfitMax = time.Minute
)

// Look asks the machine whether tasks can run, and has the cores take tasks or none.
func (f *Fitness) Look() {
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
func (f *Fitness) noteLoss(why string) {
	f.loss, f.again = why, f.Clock()+min(unfitMax, unfitMin<<min(f.losses, 10))
	f.losses++
	f.cordon(why)
}

// noteEnd notes that a task has run to its end here.
func (f *Fitness) noteEnd() { f.losses = 0 }

// cordon has the cores take no tasks for a reason, or take them again.
func (f *Fitness) cordon(why string) {
	before := f.NoTasks
	f.NoTasks = why
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
