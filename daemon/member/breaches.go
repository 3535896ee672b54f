package member

import (
	"maps"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/lease"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Breaches counts what the protocols assume to be impossible or rare, when it happens anyway. All
// is counted on the goroutine of the node, and nothing that the node does depends on it.
type Breaches struct {
	BreachCounts
	patience   time.Duration                     // how long after its sending a message can come at most
	dead       map[protocol.NodeID]time.Duration // when this node learned of their deaths
	silent     map[protocol.NodeID]bool
	complained map[protocol.Address]time.Duration // when unreadable data of a node was last logged
}

// BreachCounts are the breaches in this incarnation so far.
type BreachCounts struct {
	Undead     uint64            // messages of dead incarnations
	Suspicions uint64            // of silent incarnations
	Early      uint64            // suspicions after which a message came
	Unreadable uint64            // messages and calls
	Limits     map[string]uint64 // of the task layer that were met
}

// NewBreaches counts from 0. A message can come to a core late: it is received within MaxAge of its
// sending, and waits for the loop for less than a lease lasts.
func NewBreaches(leases lease.Config) Breaches {
	return Breaches{
		BreachCounts: BreachCounts{Limits: map[string]uint64{}},
		patience:     life.MaxAge + driver.Tick*time.Duration(leases.GrantTicks),
		dead:         map[protocol.NodeID]time.Duration{}, silent: map[protocol.NodeID]bool{},
		complained: map[protocol.Address]time.Duration{},
	}
}

// complainEvery is the time between two lines about the invalid data of one node.
const complainEvery = 10 * time.Second

// OnUnreadable notes invalid data of a node, and reports whether to log it.
func (b *Breaches) OnUnreadable(from protocol.Address, now time.Duration) (complain bool) {
	b.Unreadable++
	if last, complained := b.complained[from]; complained && now < last+complainEvery {
		return false
	}
	if len(b.complained) >= breachLimit {
		clear(b.complained)
	}
	b.complained[from] = now
	return true
}

// breachLimit is the largest number of incarnations that are noted as dead, or as silent.
const breachLimit = 4096

// suspected notes that a timer suspected a node that no witness has condemned.
func (b *Breaches) suspected(id protocol.NodeID) {
	if b.silent[id] {
		return
	}
	if len(b.silent) >= breachLimit {
		clear(b.silent)
	}
	b.silent[id] = true
	b.Suspicions++
}

// died notes when this node has learned of a death.
func (b *Breaches) died(id protocol.NodeID, now time.Duration) {
	delete(b.silent, id)
	if len(b.dead) >= breachLimit {
		clear(b.dead)
	}
	b.dead[id] = now
}

// spoke notes a message of a node.
func (b *Breaches) spoke(from protocol.NodeID, now time.Duration) {
	if b.silent[from] {
		delete(b.silent, from)
		b.Early++
	}
	if at, dead := b.dead[from]; dead && now-at > b.patience {
		b.Undead++
	}
}

// OnPeer notes that a limit of the task layer was met. The detail of the event begins with its
// name.
func (b *Breaches) OnPeer(_ driver.CoreID, e protocol.Event) {
	if e.Name == life.TaskEvent(reptask.EventFull) {
		name, _, _ := strings.Cut(e.Detail, ":")
		b.Limits[name]++
	}
}

// Heard notes a message of a core. An incarnation that waits for its first lease may be condemned
// without being notified, and only its lease core sends messages.
func (b *Breaches) Heard(from protocol.NodeID, core uint8, now time.Duration) {
	if core != life.LeaseCore {
		b.spoke(from, now)
	}
}

// Counted is a copy of the counts.
func (b *Breaches) Counted() BreachCounts {
	c := b.BreachCounts
	c.Limits = maps.Clone(c.Limits)
	return c
}

// Show adds the counts to a scrape.
func (b *BreachCounts) Show(s observe.Scrape) {
	s.Counter("canvass_condemned_alive_total",
		"Messages that incarnations sent after the witnesses had condemned them: must stay 0.", b.Undead)
	s.Counter("canvass_suspicions_total", "Silent incarnations that a timer of the map or of the clusters suspected.",
		b.Suspicions)
	s.Counter("canvass_timeout_early_total", "Suspicions of incarnations that have sent a message afterwards.", b.Early)
	s.Counter("canvass_unreadable_total", "Messages of daemons that could not be read.", b.Unreadable)
	s.Counters("canvass_tasks_limits_met_total", "Limits of the task layer that were met.", "limit", b.Limits)
}
