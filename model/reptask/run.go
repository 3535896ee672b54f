package reptask

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// The predicates and the monitor below are for drivers other than the checker. They see the views
// of live nodes and the events of steps.

// VotesHeld reports whether each node whose vote the representative counts holds that task: ready
// or withdrawing or, after START, running or done.
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

// OneRunPerNode reports whether the node runs at most one dependent task.
func OneRunPerNode(v *View) bool {
	running := 0
	for _, t := range v.Tasks {
		if t.State == Running {
			running++
		}
	}
	return running <= 1
}

// OneEpochRuns reports whether at most one attempt of each job runs.
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

// ownerOf returns the live node that owns a job as an open one, or nil.
func ownerOf(job reptask.Job, live iter.Seq[*View]) *View {
	for v := range live {
		if slices.ContainsFunc(v.Owned, func(o Owned) bool { return o.Job == job && o.State == Open }) {
			return v
		}
	}
	return nil
}

// Occupied reports whether the node still hosts or represents a task.
func (v *View) Occupied() bool { return len(v.Tasks)+len(v.Roles) > 0 }

// Recalls reports whether a node that wants to leave holds no vote that it does not want back.
func Recalls(s *reptask.State) bool {
	return !s.Leaving || !slices.ContainsFunc(s.Tasks, func(t reptask.Task) bool { return t.State == reptask.TaskReady })
}

// RunMonitor checks a whole run against the properties that no single state shows: NeverMore,
// CancelledStays, BoundedOvertaking, MovesOnce, OneResult, FullRun, RevokedEnds and
// LeaverTakesNothing.
type RunMonitor struct {
	history history
	monitor monitor[*View]
}

// MaxLives is the number of incarnations of nodes that a RunMonitor can tell apart.
const MaxLives = 32

// Lives numbers the incarnations of nodes in the order of their first appearance.
type Lives map[protocol.NodeID]int

// Number returns the number of an incarnation.
func (l Lives) Number(id protocol.NodeID) int {
	n, known := l[id]
	if !known {
		n = len(l)
		l[id] = n
	}
	return n
}

// Full reports whether there is room for only one more incarnation: that of a node that is about to
// begin it.
func (l Lives) Full() bool { return len(l) >= MaxLives-1 }

// NewRunMonitor returns the monitor of a run that has not begun. Sizes returns the k of a job.
func NewRunMonitor(sizes func(reptask.Job) int) *RunMonitor {
	return &RunMonitor{monitor: monitor[*View]{view: func(v *View) *View { return v }, sizes: sizes}}
}

// Observe takes the events of a step and the view of the node after it; of a crash, it takes the
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
	if at := bits.TrailingZeros32(c.history.broken); at < len(ofRuns) {
		return ofRuns[at].name
	}
	return ""
}

// Unsettled returns the property of quiescent states that the run breaks, and where, or "". The
// views are those of the live nodes.
func (c *RunMonitor) Unsettled(live iter.Seq[*View]) (property, where string) {
	for i := range c.history.jobs {
		j := &c.history.jobs[i]
		if !j.isOpen() {
			continue
		}
		if owner := ownerOf(j.id, live); owner != nil {
			return "AllDone", fmt.Sprintf("job %d of %v is open at %v", j.id.Number, j.id.Owner, owner.ID)
		}
		return "Survives", fmt.Sprintf("no node owns job %d of %v any more", j.id.Number, j.id.Owner)
	}
	for v := range live {
		if v.Occupied() {
			return "NoOrphan", fmt.Sprintf("%v still has %s and represents %s",
				v.ID, english.Count(len(v.Tasks), "task"), english.Count(len(v.Roles), "job"))
		}
	}
	return "", ""
}

// NeverFewer reports whether no attempt started on fewer than k nodes. After a crash it does not
// apply, and is true.
func (c *RunMonitor) NeverFewer() bool { return c.history.neverFewer(c.monitor.sizes) }
