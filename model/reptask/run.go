package reptask

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// What follows is for drivers other than the checker: they hold the core to the same properties, on
// the views of live nodes alone and on the events of steps.

// VotesHeld reports whether whoever has a vote that the node counts holds its node for it: a
// representative that counts vote (epoch, a) of n implies that n holds it ready or withdrawing, or,
// after START, running or done.
func VotesHeld(v *View, of func(protocol.NodeID) (*View, bool)) bool {
	for _, r := range v.Roles {
		for _, vote := range r.Votes {
			if r.Phase == Ending || vote.Finished {
				continue
			}
			if host, live := of(vote.Host); live && !host.holds(r, vote) {
				return false
			}
		}
	}
	return true
}

func (v *View) holds(r Role, vote Vote) bool {
	for _, t := range v.Tasks {
		if t.Attempt == r.Attempt && t.Vote == vote.Number {
			return t.State == Ready || t.State == Withdrawing || r.Phase == Started && (t.State == Running || t.State == Done)
		}
	}
	return false
}

// OneRunPerNode reports whether the node runs no two dependents.
func OneRunPerNode(v *View) bool {
	running := 0
	for _, t := range v.Tasks {
		if t.State == Running {
			running++
		}
	}
	return running <= 1
}

// OneEpochRuns reports whether of each job only one attempt runs.
func OneEpochRuns(all iter.Seq[*View]) bool {
	runs := map[reptask.Job]reptask.Attempt{}
	for v := range all {
		for _, t := range v.Tasks {
			if t.State != Running {
				continue
			}
			if other, running := runs[t.Job]; running && other.Epoch != t.Epoch {
				return false
			}
			runs[t.Job] = t.Attempt
		}
	}
	return true
}

// RunMonitor holds a whole run to the properties that no single state shows: NeverMore,
// CancelledStays, BoundedOvertaking, MovesOnce, OneResult and FullRun.
type RunMonitor struct {
	history history
	monitor monitor[*View]
}

// MaxLives is how many lives of nodes a chronicle tells apart.
const MaxLives = 32

// Lives numbers the lives of nodes, in the order in which they are met.
type Lives map[protocol.NodeID]int

// Number is the number of a life.
func (l Lives) Number(id protocol.NodeID) int {
	n, known := l[id]
	if !known {
		n = len(l)
		l[id] = n
	}
	return n
}

// Full reports whether a chronicle can tell no more lives apart but one: that of a node that is
// about to begin it.
func (l Lives) Full() bool { return len(l) >= MaxLives-1 }

// NewRunMonitor returns the chronicle of a run that has not begun. Sizes tells how many dependents a
// job has.
func NewRunMonitor(sizes func(reptask.Job) int) *RunMonitor {
	return &RunMonitor{monitor: monitor[*View]{view: func(v *View) *View { return v }, sizes: sizes}}
}

// Observe takes in the events of a step after which a node is as the view shows it; of a crash, the
// event "crash" alone. Lives of nodes are numbered from 0.
func (c *RunMonitor) Observe(life int, v *View, events []protocol.Event) {
	for _, e := range events {
		switch {
		case e.Name == eventCrash:
			c.history.crash(life)
		case c.monitor.Wants(e.Name):
			c.monitor.observe(&c.history, life, v, e)
		}
	}
}

// Broken returns the property that the run has broken, or "".
func (c *RunMonitor) Broken() string {
	names := [...]string{"NeverMore", "CancelledStays", "OneResult", "FullRun", "BoundedOvertaking", "MovesOnce"}
	for i, name := range names {
		if c.history.broken&(1<<i) != 0 {
			return name
		}
	}
	return ""
}

// NeverFewer reports whether no attempt was started on fewer than k nodes; where a node crashed
// that is not asked.
func (c *RunMonitor) NeverFewer() bool {
	return c.history.crashed != 0 ||
		c.history.seen&seenFewer == 0 && !slices.ContainsFunc(c.history.attempts, func(a attempt) bool {
			return a.started != 0 && bits.OnesCount32(a.started) != c.monitor.sizes(a.job)
		})
}

// Open lists the jobs that are not done and that no crash left without both owner and
// representative.
func (c *RunMonitor) Open() []reptask.Job {
	var open []reptask.Job
	for _, j := range c.history.jobs {
		if j.state == Open && !j.lost {
			open = append(open, j.id)
		}
	}
	return open
}
