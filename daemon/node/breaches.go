package node

import (
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// breaches counts what the protocols assume to be impossible or rare, when it happens anyway. All
// is counted on the goroutine of the node, and nothing that the node does depends on it.
type breaches struct {
	patience   time.Duration                     // how long after its sending a message can come at most
	undead     uint64                            // messages of lives that are dead
	dead       map[protocol.NodeID]time.Duration // when this node learned of their deaths
	suspicions uint64                            // of lives, since they were silent
	early      uint64                            // of these, those that have spoken afterwards
	silent     map[protocol.NodeID]bool
	unreadable uint64                             // messages and calls
	complained map[protocol.Address]time.Duration // when the last of these was logged
	limits     map[string]uint64                  // of the task layer that were met
}

func newBreaches(patience time.Duration) breaches {
	return breaches{
		patience: patience,
		dead:     map[protocol.NodeID]time.Duration{}, silent: map[protocol.NodeID]bool{}, limits: map[string]uint64{},
		complained: map[protocol.Address]time.Duration{},
	}
}

// complainEvery is the time between two lines about what one node sends.
const complainEvery = 10 * time.Second

// unreadable ends the connections to a node that has sent invalid data: it runs another release, or
// is hostile. Of many such messages one is logged now and then.
func (n *Node) unreadable(from protocol.NodeID, what string, err error) {
	b := &n.breaches
	b.unreadable++
	if last, complained := b.complained[from.Address]; !complained || n.Clock() >= last+complainEvery {
		if len(b.complained) >= breachLimit {
			clear(b.complained)
		}
		b.complained[from.Address] = n.Clock()
		n.Log.Warn("closing the connections to a node: it has sent invalid data",
			"from", from.String(), "what", what, "error", err)
	}
	if from != n.Self {
		n.Links.Reject(from)
	}
}

// breachLimit is of how many lives it is noted that they are dead, or silent.
const breachLimit = 4096

// suspected notes that a timer suspected a node that no witness has condemned.
func (b *breaches) suspected(id protocol.NodeID) {
	if b.silent[id] {
		return
	}
	if len(b.silent) >= breachLimit {
		clear(b.silent)
	}
	b.silent[id] = true
	b.suspicions++
}

// died notes when this node has learned of a death.
func (b *breaches) died(id protocol.NodeID, now time.Duration) {
	delete(b.silent, id)
	if len(b.dead) >= breachLimit {
		clear(b.dead)
	}
	b.dead[id] = now
}

// spoke notes a message of a node.
func (b *breaches) spoke(from protocol.NodeID, now time.Duration) {
	if b.silent[from] {
		delete(b.silent, from)
		b.early++
	}
	if at, dead := b.dead[from]; dead && now-at > b.patience {
		b.undead++
	}
}

// onPeer notes that a limit of the task layer was met, whose name begins a text.
func (b *breaches) onPeer(_ driver.CoreID, e protocol.Event) {
	if e.Name == life.TaskEvent(reptask.EventFull) {
		name, _, _ := strings.Cut(e.Detail, ":")
		b.limits[name]++
	}
}

// latePatience is how long after its sending a message can come to a core at most: it is received
// within maxAge, and waits for the loop for less than a lease lasts.
func latePatience(leases lease.Config) time.Duration {
	return life.MaxAge + driver.Tick*time.Duration(leases.GrantTicks)
}

// heard notes a message of a core. A life that waits for its first lease can be condemned without
// knowing it, and only its lease core speaks.
func (n *Node) heard(from protocol.NodeID, core uint8) {
	if core != life.LeaseCore {
		n.breaches.spoke(from, n.Clock())
	}
}

// show shows what was counted.
func (b *breaches) show(s observe.Scrape) {
	s.Counter("canvass_condemned_alive_total",
		"Messages that incarnations sent after the witnesses had condemned them: must stay 0.", b.undead)
	s.Counter("canvass_suspicions_total", "Silent incarnations that a timer of the map or of the clusters suspected.",
		b.suspicions)
	s.Counter("canvass_timeout_early_total", "Suspicions of incarnations that have sent a message afterwards.", b.early)
	s.Counter("canvass_unreadable_total", "Messages of daemons that could not be read.", b.unreadable)
	s.Counters("canvass_tasks_limits_met_total", "Limits of the task layer that were met.", "limit", b.limits)
}
