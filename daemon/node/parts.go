package node

import (
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// parts are the parts of a daemon, in the order of their dependencies.
type parts struct {
	*runtime
	*settings
	*library
	*members
	*leases
	*views
	*news
	custodian

	attempts *attempts
	outputs  *outputs
	balancer *balancer
	fitness  fitness

	admission *admission
	near      *nearby
	drain     *drain
	repair    *repair

	auditor *auditor
	orders  *orders
	arrays  *arrays

	reports  *reports
	record   recorder
	breaches breaches
	clocks   *clocks
	fences   *fences
	watchdog *watchdog

	exposed []string           // resources within reach of tasks, in sentences
	isTask  func(pid int) bool // whether a process that asks this daemon belongs to a task
}

// custodian is the parts that keep the records of jobs.
type custodian struct {
	*records
	*submissions
	*decisions
	*copies
	*tombstones
}

// makeParts makes the parts of the daemon, in the order of their dependencies.
func (n *Node) makeParts() {
	r, s := n.runtime, n.settings
	n.fitness.runtime = r
	n.clocks = &clocks{runtime: r, drift: float64(s.config.Grid.Lease().DriftPPM) / 1e6}
	n.admission = &admission{runtime: r, settings: s}
	n.members = newMembers(r, s)
	n.leases = &leases{runtime: r, settings: s, members: n.members, breaches: &n.breaches, onDeath: n.onDeath}
	n.members.commit = n.leases.write
	n.news = newNews(r)
	n.news.jobOf, n.news.ended, n.news.dismissed = n.jobOf, n.onEnd, n.onDismiss
	n.library = &library{runtime: r}
	n.makeRecords()
	n.library.onDamage, n.leases.restore = n.copyAgain, n.records.restore
	n.views = &views{runtime: r, grid: n.members, keeping: n.keepingNow, noLease: n.mayNot, forgotten: n.forgottenID}
	n.reports = &reports{runtime: r, grid: n.members, own: n.report, isListed: n.isListed}
	n.repair = &repair{runtime: r, settings: s, reports: n.reports}
	n.near = &nearby{runtime: r, settings: s, members: n.members, latencies: map[protocol.NodeID]latency{}}
	n.drain = &drain{runtime: r, members: n.members, views: n.views, mayNot: n.mayNot, report: n.report}
	n.auditor = &auditor{
		runtime: r, grid: n.members, jobs: &n.custodian, keepings: n.keepings, turns: n.submissions,
		fitness: &n.fitness, tidy: n.tidy,
	}
	n.orders = &orders{r, n.members, &n.custodian, n.tombstones}
	n.arrays = &arrays{
		runtime: r, grid: n.members, jobs: &n.custodian, views: n.views, accept: n.accept,
		begin: func(e *jobs.Record) *keeping { return n.addKeeping(e, nil) },
	}
	n.records.arrays = n.arrays
	n.outputs = newOutputs(r, s)
	n.balancer = &balancer{runtime: r, settings: s, alive: n.alive, takes: n.takesJobs}
	n.attempts = &attempts{
		runtime: r, settings: s, library: n.library, fitness: &n.fitness, address: n.machineOf, say: n.news.add,
		all: map[driver.CoreID]*attempt{},
	}
}

// makeRecords makes the parts that keep the records of jobs.
func (n *Node) makeRecords() {
	r, s := n.runtime, n.settings
	n.submissions = &submissions{
		runtime: r, others: n.alive,
		clients: map[uint32]peer.Client{}, pending: map[uint32]*keeping{}, waits: map[string]int{},
		window: window{taken: map[*keeping]bool{}},
	}
	n.records = &records{
		runtime: r, settings: s, grid: n.members, turns: n.submissions,
		refuses: n.mayNot, askLeft: n.askDeparted, save: n.write, breaks: n.unreadable,
		keepings: map[driver.CoreID]*keeping{},
	}
	n.submissions.closed = n.records.close
	n.decisions = &decisions{
		runtime: r, grid: n.members, jobs: &n.custodian, unfits: map[unfitKey]string{},
		gathered: map[rankName]*gathering{},
	}
	n.tombstones = &tombstones{runtime: r, settings: s, jobs: n.records, release: n.dismiss, save: n.write}
	n.copies = &copies{
		runtime: r, library: n.library, grid: n.members, jobs: n.records, fitness: &n.fitness, erase: n.tombstones.erase,
		sorts: n.decisions.forgetEnded, copying: map[rankName]*copying{}, arriving: map[rankOf][]jobs.File{},
	}
	n.records.copies, n.records.tombs = n.copies, n.tombstones
}

// jobOf is the job of a core, if it has one that is known.
func (n *Node) jobOf(core driver.CoreID) string {
	if k := n.keepingAt(core); k != nil {
		return k.record.ID
	}
	return n.attempts.jobOf(core)
}

// onEnd goes on with the array of an element that has ended.
func (n *Node) onEnd(r *jobs.Record) {
	if parent := n.table.Parent(r); parent != nil {
		n.later(func() { n.press(n.keepingOf(parent)) })
	}
}

// onDismiss drops the notes about a job that has ended or is forgotten.
func (n *Node) onDismiss(r *jobs.Record) {
	n.forgetWaits(r)
	n.forgetUnfits(r)
}

// takesJobs reports whether jobs can run here.
func (n *Node) takesJobs() bool {
	return n.member() && !n.drain.leaving && n.mayNot() == "" && n.fitness.noTasks == ""
}

// onDeath resumes work that waited for the end of another life.
func (n *Node) onDeath(id protocol.NodeID) {
	n.cancelOwned(func(c peer.Client) bool { return c.Entry == id }) // nobody else knows which jobs these are
	n.auditor.onDeath(id)
}
