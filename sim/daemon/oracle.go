package daemon

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// oracle checks a run against the properties. It sees processes and records from outside, as the
// judges of real daemons do.
type oracle struct {
	sim.Violation
	world     *world
	faultless bool // no event may cost a lease
	seen      map[string]int

	attempts map[string]string // the latest, by job
	over     map[string]bool   // jobs of which a daemon has said that they have ended
	spoiled  map[string]bool   // attempts with files that could not be kept
	judged   map[string]bool   // jobs whose outputs have been looked at
}

// started is called when a process starts.
func (o *oracle) started(p *process) {
	o.seen["started"]++
	if last := o.attempts[p.job]; last != "" && last != p.attempt {
		o.seen["again"]++
	}
	o.attempts[p.job] = p.attempt
	if whole, _, _ := strings.Cut(p.job, "["); o.over[whole] {
		o.Violate("EndedStays", "rank %d of attempt %s of job %s starts on %v after a daemon has said that the job has ended",
			p.rank, p.attempt, p.job, p.life)
	}
	for _, q := range o.world.processes {
		switch {
		case q == p || q.job != p.job:
		case q.attempt != p.attempt:
			o.Violate("OneRun", "job %s: rank %d of attempt %s starts on %v while rank %d of attempt %s runs on %v",
				p.job, p.rank, p.attempt, p.life, q.rank, q.attempt, q.life)
		case q.rank == p.rank:
			o.Violate("OneRun", "job %s: rank %d of attempt %s runs twice: on %v and %v",
				p.job, p.rank, p.attempt, p.life, q.life)
		}
	}
}

// ended is called when an incarnation ends by itself.
func (o *oracle) ended(m *machine, self protocol.NodeID, err error) {
	switch {
	case errors.Is(err, errEnded):
		o.seen["left"]++
	case errors.Is(err, errDisk):
		o.seen["disk-error"]++
	case errors.Is(err, life.ErrFenced):
		o.seen["fenced"]++
		if o.faultless && m.node.Lease().Entered && o.isWitnessed() {
			o.Violate("KeepsLease", "%v, without any fault: %v", self, err)
		}
	default:
		o.Violate("StaysUp", "node %v ends: %v", m.name(), err)
	}
}

// isWitnessed reports whether a majority of the witnesses has run for long enough to renew all
// leases.
func (o *oracle) isWitnessed() bool {
	witnesses, run := o.world.grid.Witnesses, 0
	for _, w := range witnesses {
		if m := o.world.machines[w]; m.node != nil && o.world.now()-m.began > renewMicros {
			run++
		}
	}
	return run > len(witnesses)/2
}

// renewMicros is more than a lease and the grace of a witness that has begun again.
const renewMicros = 10 * second

// look is called after each turn of a daemon.
func (o *oracle) look(m *machine) {
	if o.world.mint != nil {
		o.signed(m)
	}
	for _, c := range o.world.clients {
		if r := m.node.Job(c.id); r != nil && m.node.Ended(r) {
			o.over[c.id] = true
		}
		o.outputs(m, c)
	}
	for _, p := range o.world.processes {
		if m.node.Certified(p.life) {
			o.Violate("Fenced", "%v has the death certificate of %v, on which rank %d of job %s runs",
				m.node.Self(), p.life, p.rank, p.job)
		}
		if r := m.node.Job(p.job); r != nil && m.node.Ended(r) {
			o.Violate("EndedStays", "%v says that job %s has ended, of which rank %d of attempt %s runs on %v",
				m.node.Self(), p.job, p.rank, p.attempt, p.life)
		}
	}
}

// signed compares a node's view of others with the cards that they have signed.
func (o *oracle) signed(m *machine) {
	for _, c := range m.links.book.Cards() {
		believed, proven := c.Incarnation, m.links.lives[c.Address]
		began := believed == 0 || slices.Contains(o.world.machines[c.Address].lives, believed)
		if !began || c.Endpoint != endpoint(c.Address) || believed < proven {
			o.Violate("Signed", "%v records incarnation %d of address %d at %s; it has met incarnation %d",
				m.node.Self(), believed, c.Address, c.Endpoint, proven)
		}
	}
}

// outputs looks at the outputs of the job of a client when a daemon first says that it, or an
// element of it, has succeeded.
func (o *oracle) outputs(m *machine, c *client) {
	if c.files == 0 || c.id == "" {
		return
	}
	for _, id := range c.ids() {
		if r := m.node.Job(id); !o.judged[id] && r != nil && r.State == jobs.Succeeded {
			o.judged[id] = true
			o.seen["outputs"]++
			o.kept(r, c.files)
		}
	}
}

// outputsStay looks once more at the outputs of the job of a client.
func (o *oracle) outputsStay(c *client) {
	for _, id := range c.ids() {
		if r := o.final(id); o.judged[id] && r != nil {
			o.kept(r, c.files)
		}
	}
}

// ids are the jobs of a client that have tasks: its job, or the elements of its array.
func (c *client) ids() (all []string) {
	if c.spec.Array == nil {
		return []string{c.id}
	}
	for i := range c.spec.Array.Ranges[0].Last + 1 {
		all = append(all, fmt.Sprintf("%s[%d]", c.id, i))
	}
	return all
}

// final is the record of a job that has ended, of any node, or nil.
func (o *oracle) final(id string) *jobs.Record {
	for _, m := range o.world.machines {
		if m.node == nil {
			continue
		}
		if r := m.node.Job(id); r != nil && r.State.Final() {
			return r
		}
	}
	return nil
}

// Quiescent implements [sim.Oracle].
func (o *oracle) Quiescent() (property, where string) {
	var reports []api.NodeReport
	for _, m := range o.world.machines {
		if m.lost {
			continue
		}
		if m.node == nil {
			return "Converges", fmt.Sprintf("node %v is down: %s", m.name(), m.why)
		}
		r := m.node.Report()
		if r.Phase != "member" {
			return "Converges", fmt.Sprintf("node %v is %s", r.Node, r.Phase)
		}
		reports = append(reports, r)
	}
	if broken := api.Broken(reports); broken != "" {
		return "Converges", broken
	}
	for _, c := range o.world.clients {
		if c.id == "" && c.at.lost {
			continue
		}
		if c.id == "" {
			return "Acknowledges", fmt.Sprintf("no job of client %s is acknowledged", c.key)
		}
		r := o.final(c.id)
		if r != nil && c.removed {
			return "RemovedStays", fmt.Sprintf("job %s of client %s is there again", c.id, c.key)
		}
		if r == nil && c.removes {
			continue
		}
		if r == nil {
			return "AckedKept", fmt.Sprintf("job %s of client %s has not ended", c.id, c.key)
		}
		o.results(c, r)
		o.outputsStay(c)
	}
	if property, where = o.undecided(); property != "" {
		return property, where
	}
	return o.quiet()
}

// undecided reports a job that stays open at a daemon, even if no client has its id: its custodians
// end it, or drop it. A job that was taken by a lost machine may wait for that machine.
func (o *oracle) undecided() (property, where string) {
	for _, m := range o.world.machines {
		if m.lost {
			continue
		}
		for _, r := range m.node.Jobs() {
			taker := int(r.Custodians[0]) // a hostile member can name a machine that is not there
			if !m.node.Ended(r) && taker < len(o.world.machines) && !o.world.machines[taker].lost {
				return "Decided", fmt.Sprintf("node %v keeps job %s, which is %s: no custodian ends or drops it",
					m.name(), r.ID, r.State)
			}
		}
	}
	return "", ""
}

// quiet reports custodians that still ask about jobs that have ended, and attempts at such jobs
// that are remembered.
func (o *oracle) quiet() (property, where string) {
	for _, m := range o.world.machines {
		if m.lost {
			continue
		}
		if n := m.node.Restless(); n > 0 {
			return "Quiet", fmt.Sprintf("node %v asks about %d jobs that have ended", m.name(), n)
		}
		if n := m.node.Attempts(); n > 0 {
			return "Quiet", fmt.Sprintf("node %v remembers %d attempts at jobs that have ended", m.name(), n)
		}
	}
	return "", ""
}

// results compares the end of a job with its tasks.
func (o *oracle) results(c *client, r *jobs.Record) {
	if !c.done {
		c.done = true
		o.seen["ended"]++
		if r.State == jobs.Cancelled {
			o.seen["cancelled"]++
		}
	}
	if r.State == jobs.Failed && c.files > 0 && o.wasSpoiled(r) {
		o.seen["unkept"]++
		return
	}
	if r.State != c.want && (r.State != jobs.Cancelled || !c.cancels) {
		o.Violate("Results", "job %s of client %s is %s (%s) and not %s", c.id, c.key, r.State, r.Why, c.want)
	}
}

// wasSpoiled reports whether a job, or an element of it, has an attempt with files that could not
// be kept.
func (o *oracle) wasSpoiled(r *jobs.Record) bool {
	for _, m := range o.world.machines {
		if m.node == nil {
			continue
		}
		for _, of := range m.node.Jobs() {
			if of.ID != r.ID && of.Parent != r.ID {
				continue
			}
			for i := range of.Attempts {
				if o.spoiled[attemptOf(&of.Attempts[i])] {
					return true
				}
			}
		}
	}
	return false
}
