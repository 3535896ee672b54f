package node

import (
	"time"

	"github.com/canvass-grid/canvass/daemon/balance"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/library"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/news"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/custody"
	"github.com/canvass-grid/canvass/protocol/peer"
)

// parts are the parts of a daemon, in the order of their dependencies.
type parts struct {
	*life.Runtime
	*config.Settings
	*library.Library
	*member.Members
	*member.Leases
	*views
	*news.News
	custodian

	owned    *owned
	attempts *tasks.Attempts
	outputs  *tasks.Outputs
	balancer *balance.Balancer
	fitness  tasks.Fitness

	admission *member.Admission
	near      *nearby
	drain     *member.Drain
	repair    *member.Repair

	auditor *auditor
	orders  *orders
	arrays  *arrays

	reports  *reports
	record   observe.Recorder
	breaches member.Breaches
	clocks   *clocks
	fences   *life.Fences
	watchdog *observe.Watchdog

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
	r, s := n.Runtime, n.Settings
	n.fitness.Runtime = r
	n.clocks = &clocks{Runtime: r, drift: float64(s.Config.Grid.Lease().DriftPPM) / 1e6}
	n.admission = &member.Admission{Runtime: r, Settings: s}
	n.Members = member.NewMembers(r, s)
	n.Leases = &member.Leases{Runtime: r, Settings: s, Members: n.Members, Breaches: &n.breaches, OnDeath: n.onDeath}
	n.Members.Commit = n.Leases.Write
	n.News = news.New(r)
	n.News.JobOf, n.News.Ended = n.jobOf, n.onEnd
	n.Library = &library.Library{Runtime: r}
	n.makeRecords()
	n.Library.OnDamage, n.Leases.Restore, n.News.Dismissed = n.copyAgain, n.records.restore, n.forgetUnfits
	n.views = &views{Runtime: r, grid: n.Members, keptJob: n.keptJobNow, noLease: n.MayNot, forgotten: n.forgottenID}
	n.reports = &reports{Runtime: r, grid: n.Members, own: n.report, isListed: n.IsListed}
	n.repair = &member.Repair{Runtime: r, Settings: s, Survey: n.reports.survey}
	n.near = &nearby{Runtime: r, Settings: s, members: n.Members, latencies: map[protocol.NodeID]latency{}}
	n.drain = &member.Drain{Runtime: r, Members: n.Members, Mine: n.mine, MayNot: n.MayNot, Report: n.report}
	n.auditor = &auditor{
		Runtime: r, grid: n.Members, jobs: &n.custodian, keptJobs: n.keptJobs, turns: n.submissions,
		fitness: &n.fitness, tidy: n.tidy,
	}
	n.orders = &orders{r, n.Members, &n.custodian, n.tombstones}
	n.arrays = &arrays{
		Runtime: r, grid: n.Members, jobs: &n.custodian, views: n.views, accept: n.accept,
		begin: func(e *jobs.Record) *keptJob { return n.addKeptJob(e, nil) },
	}
	n.records.arrays = n.arrays
	n.outputs = tasks.NewOutputs(r, s)
	n.balancer = &balance.Balancer{Runtime: r, Settings: s, Alive: n.Alive, Takes: n.takesJobs}
	n.attempts = &tasks.Attempts{
		Runtime: r, Settings: s, Library: n.Library, Fitness: &n.fitness, Address: n.MachineOf, Say: n.News.Add,
		All: map[driver.CoreID]*tasks.Attempt{},
	}
}

// makeRecords makes the parts that keep the records of jobs.
func (n *Node) makeRecords() {
	r, s := n.Runtime, n.Settings
	n.submissions = newSubmissions(r)
	n.owned = &owned{Runtime: r, clients: map[uint32]peer.Client{}}
	n.records = &records{
		Runtime: r, Settings: s, grid: n.Members, turns: n.submissions,
		refuses: n.MayNot, askLeft: n.AskDeparted, save: n.Write, breaks: n.unreadable,
		keptJobs: map[driver.CoreID]*keptJob{},
	}
	n.decisions = &decisions{
		Runtime: r, grid: n.Members, jobs: &n.custodian, unfits: map[unfitKey]string{},
		gathered: map[rankName]*gathering{},
	}
	n.tombstones = &tombstones{Runtime: r, Settings: s, jobs: n.records, release: n.Dismiss, save: n.Write}
	n.copies = &copies{
		Runtime: r, Library: n.Library, grid: n.Members, jobs: n.records, fitness: &n.fitness, erase: n.tombstones.erase,
		sorts: n.decisions.forgetEnded, copying: map[rankName]*copying{}, arriving: map[rankOf][]jobs.File{},
	}
	n.records.copies, n.records.tombs = n.copies, n.tombstones
}

// jobOf is the id of the job of a core, or empty if the core has none or it is not known.
func (n *Node) jobOf(core driver.CoreID) string {
	if k := n.keptJobAt(core); k != nil {
		return k.record.ID
	}
	return n.attempts.JobOf(core)
}

// onEnd goes on with the array of an element that has ended.
func (n *Node) onEnd(r *jobs.Record) {
	if parent := n.Table.Parent(r); parent != nil {
		n.Later(func() { n.press(n.keptJobOf(parent)) })
	}
}

// takesJobs reports whether jobs can run here.
func (n *Node) takesJobs() bool {
	return n.IsMember() && !n.drain.Leaving && n.MayNot() == "" && n.fitness.NoTasks == ""
}

// onDeath resumes work that waited for the end of another incarnation.
func (n *Node) onDeath(id protocol.NodeID) {
	n.owned.cancelOwned(func(c peer.Client) bool { return c.Entry == id }) // no other node has a list of these jobs
	n.auditor.onDeath(id)
}

// grid answers questions about the nodes of the grid.
type grid interface {
	Alive() []protocol.NodeID
	Known() []protocol.NodeID                         // the latest lives of all others, sorted
	Latest(id protocol.NodeID) protocol.NodeID        // the latest known life at an address
	LastKnown(a protocol.Address) protocol.NodeID     // the same, or an incarnation that only a witness has named
	IsDead(id protocol.NodeID) bool                   // by certificate, or since a later life has begun
	HasLeft(id protocol.NodeID) (rpc.Departure, bool) // in order
	Suspect(id protocol.NodeID)                       // asks the witnesses
}

var _ grid = &member.Members{}

// custodians is the view of the custodians here for parts that resume jobs.
type custodians interface {
	keptJobOf(r *jobs.Record) *keptJob  // created if missing
	keptJobNow(name jobs.Name) *keptJob // nil: the job rests, or there is no such job
	dropKeptJob(k *keptJob)
	press(k *keptJob)
	reportDeaths(k *keptJob)
	order(k *keptJob, c custody.Command)
	spread(k *keptJob, then func(without []protocol.Address))
	end(k *keptJob, s jobs.State, why string)
	close(k *keptJob, try uint32, a custody.Attempt, host protocol.NodeID)
	want(k *keptJob, pause time.Duration)
	stop(k *keptJob)
}
