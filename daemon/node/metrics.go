package node

import (
	"context"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/driver"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/member"
	"github.com/canvass-grid/canvass/daemon/observe"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/daemon/tasks"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/placement"
)

// scrapePatience is how long a scrape waits for the loop.
const scrapePatience = time.Second

// Metrics are the metrics of the daemon, as text. They come within scrapePatience, without the
// numbers of the loop if it does not answer.
func (u users) Metrics(context.Context) (string, error) { return u.Meter.Text() }

// reading is the numbers that only the loop has.
type reading struct {
	tries      uint64 // submissions of jobs to the grid
	restless   int    // ended jobs that still ask, when the auditor looked last
	tasks      tasks.Counts
	breaches   member.BreachCounts
	clocks     observe.ClockWatch
	report     api.NodeReport
	member     bool
	neighbours int
	roles      int
	owned      int
	floors     int
	attempts   int
	keptJobs   int
	questions  int
	known      int
	taken      int // of the turns of jobs
	line       int
	jobs       map[string]int // by state
	ended      int
	short      int // open jobs of which a custodian is dead
}

func (n *Node) reading() reading {
	s, placed := n.Peer.State(), n.submissions.core.State()
	a := reading{
		tries: uint64(placed.Ticket), restless: n.auditor.restlessJobs,
		tasks: n.attempts.Counts, report: n.report(), member: n.IsMember(),
		neighbours: len(s.Can.Known), roles: len(s.Tasks.Roles), owned: len(s.Tasks.Owned), floors: len(s.Tasks.Floors),
		attempts: len(n.attempts.All), keptJobs: len(n.keptJobs), questions: n.Calls.Waiting(), known: len(n.Known()),
		jobs: map[string]int{},
	}
	a.taken, a.line = placed.Count(placement.Placed), placed.Count(placement.Waiting)
	a.clocks, a.breaches = n.clocks.ClockWatch, n.breaches.Counted()
	for _, state := range []jobs.State{jobs.Accepted, jobs.Queued, jobs.Held, jobs.Running} {
		a.jobs[string(state)] = 0
	}
	dead := map[protocol.Address]bool{}
	isDead := func(address protocol.Address) bool {
		is, asked := dead[address]
		if !asked {
			gone, left := n.deadOf(jobs.Custodians{address})
			is = len(gone)+len(left) > 0
			dead[address] = is
		}
		return is
	}
	open := 0
	for r := range n.Table.Open() {
		open++
		a.jobs[string(r.State)]++
		for _, custodian := range r.Custodians {
			if isDead(custodian) {
				a.short++
				break
			}
		}
	}
	a.ended = n.Table.Size() - open
	return a
}

// scrape reads the state of the node for its metrics, on the goroutine of the scrape.
func (n *Node) scrape(s observe.Scrape) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
	defer cancel()
	found, err := life.On(ctx, n, func() (reading, error) { return n.reading(), nil })
	s.Flag("canvass_loop_answers", "The loop has answered this scrape within a second.", err == nil)
	s.Gauge("canvass_inbox_inputs", "Inputs that wait for the loop.", float64(len(n.Inbox)+len(n.Urgent)))
	s.Gauge("canvass_inbox_limit_inputs", "Inputs that can wait for the loop; links wait then.",
		life.InboxLimit+life.UrgentLimit)
	if err == nil {
		found.showAll(s)
	}
	if t, is := n.Links.(*transport.Transport); is {
		showLinks(s, t.Counters())
	}
	s.Counters("canvass_fenced_total", "Earlier incarnations of this daemon that were fenced, by reason.",
		"reason", n.fences.Former)
	record := n.record.Stats()
	s.Counter("canvass_flight_records_total", "Records that the flight recorder was given.", record.Records)
	s.Counter("canvass_flight_records_lost_total", "Records that the flight recorder could not write.", record.Lost)
	s.Counter("canvass_flight_segments_total", "Files that the flight recorder has begun.", uint64(record.Segments))
	s.Gauge("canvass_flight_queue_bytes", "Bytes that the flight recorder has yet to write.", float64(record.Queued))
	s.Flag("canvass_flight_failing", "A write of the flight recorder has failed.", record.Failing)
}

// showAll adds the numbers of the loop to a scrape.
func (a *reading) showAll(s observe.Scrape) {
	a.show(s)
	a.showJobs(s)
	a.breaches.Show(s)
	a.clocks.Show(s)
}

// show shows the node, and its view of the map.
func (a *reading) show(s observe.Scrape) {
	r := &a.report
	s.Gauge("canvass_uptime_seconds", "The age of this incarnation.", r.Uptime.Seconds())
	s.Gauge("canvass_incarnation", "The number of this incarnation, of 65,535.", float64(r.Node.Incarnation))
	s.Gauge("canvass_lease_left_seconds", "How long the lease lasts; 0: no lease.", r.LeaseLeft.Seconds())
	if c := r.Certificate; c != nil {
		s.Gauge("canvass_certificate_left_seconds", "How long the node's certificate is valid; renewed from 10 days on.",
			c.Left.Seconds())
		s.Flag("canvass_certificate_failing", "The certificate is not renewed though it is time, or a clock is wrong.",
			c.Warning != "")
	}
	s.Flag("canvass_witness", "The node is a witness.", r.Witness)
	s.Flag("canvass_draining", "The node is to leave.", r.Draining)
	s.Flag("canvass_member", "The node has a zone of the map.", a.member)
	s.Gauge("canvass_map_share_ratio", "The part of the map that is the node's zone.", r.Share)
	s.Gauge("canvass_map_neighbours", "Neighbours on the map.", float64(a.neighbours))
	s.Gauge("canvass_map_dead_neighbours", "Dead neighbours whose zones the node misses.", float64(len(r.Gone)))
	s.Flag("canvass_map_gap", "Part of the boundary of the node's zone has no live neighbour.", r.Open)
	s.Gauge("canvass_nodes_known", "Other nodes that are known.", float64(a.known))
	s.Gauge("canvass_cluster_nodes", "Members of the node's cluster.", float64(len(r.Cluster)))
	s.Gauge("canvass_tasks", "Tasks that the node holds.", float64(r.Queue))
	s.Flag("canvass_task_running", "A task runs.", r.Running != "")
	s.Gauge("canvass_tasks_owned_jobs", "Jobs that wait at the node for hosts.", float64(a.owned))
	s.Gauge("canvass_tasks_roles", "Attempts that the node represents.", float64(a.roles))
	s.Gauge("canvass_tasks_floors", "Jobs of which the node remembers which attempts are over.", float64(a.floors))
	s.Gauge("canvass_attempts", "Attempts of which the node is host or representative.", float64(a.attempts))
	s.Gauge("canvass_questions", "Questions to daemons that wait for an answer.", float64(a.questions))
	s.Gauge("canvass_questions_limit", "Questions that can wait for an answer.", rpc.Limit)
}

// showJobs shows the jobs of which the daemon has a copy, and the work that it did for jobs.
func (a *reading) showJobs(s observe.Scrape) {
	s.Gauges("canvass_jobs", "Copies of jobs that have not ended, by state.", "state", a.jobs)
	s.Gauge("canvass_jobs_ended", "Copies of jobs that have ended.", float64(a.ended))
	s.Gauge("canvass_jobs_limit", "Copies of jobs that the daemon keeps at most.", jobs.Limit)
	s.Gauge("canvass_jobs_short", "Copies of jobs that have not ended, and of which a custodian is dead.",
		float64(a.short))
	s.Gauge("canvass_jobs_restless", "Ended jobs about which the daemon still asks other custodians.",
		float64(a.restless))
	s.Gauge("canvass_kept_jobs", "Jobs of which the custody core runs.", float64(a.keptJobs))
	s.Gauge("canvass_keepings", "Former name of canvass_kept_jobs.", float64(a.keptJobs))
	s.Gauge("canvass_turns_taken", "Jobs that this daemon has handed to the grid, and that wait there.", float64(a.taken))
	s.Gauge("canvass_turns_waiting", "Jobs that wait for their turn at this daemon.", float64(a.line))
	s.Counter("canvass_tries_total", "Submissions of jobs to the grid.", a.tries)
	s.Counter("canvass_task_starts_total", "Processes of tasks that were started.", a.tasks.Starts)
	s.Counter("canvass_task_unfit_total", "Tasks that could not start here.", a.tasks.Unfit)
	s.Counter("canvass_task_lost_total", "Tasks that this node has lost.", a.tasks.Lost)
	s.Counter("canvass_task_kills_total", "Processes of tasks that the daemon has ended.", a.tasks.Kills)
}

// showLinks shows the counters of the links.
func showLinks(s observe.Scrape, c transport.Counters) {
	for _, each := range []struct {
		name, help string
		value      uint64
	}{
		{"frames_sent", "Frames sent, acknowledgements and cards among them.", c.FramesSent},
		{"frames_received", "Frames received, acknowledgements and cards among them.", c.FramesReceived},
		{"frames_sent_bytes", "Bytes of frames sent, before encryption.", c.BytesSent},
		{"frames_received_bytes", "Bytes of frames received, after decryption.", c.BytesReceived},
		{"frames_delivered", "Messages that were passed to the daemon.", c.Delivered},
		{"frames_resent", "Messages sent once more after a connection had ended.", c.Resent},
		{"frames_duplicate", "Messages received again, and dropped.", c.Duplicates},
		{"frames_too_old", "Messages received, but older than 3 s, and dropped.", c.TooOld},
		{"frames_expired", "Messages never sent: too old before there was a connection.", c.Expired},
		{"frames_outlived", "Messages to an incarnation of a peer that has restarted since.", c.Outlived},
		{"frames_overflowed", "Messages lost with a queue to a peer that was full.", c.Overflowed},
		{"frames_misaddressed", "Messages refused: to or from another incarnation than the peer's.", c.Misaddressed},
		{"frames_oversize", "Messages refused: too large.", c.Oversize},
		{"unauthenticated", "Connections that ended before the peer was known.", c.Unauthenticated},
	} {
		s.Counter("canvass_link_"+each.name+"_total", each.help, each.value)
	}
	s.Gauge("canvass_link_connections", "Connections for messages of cores that are open.", float64(c.Connected))
	s.Counters("canvass_link_refused_total", "Handshakes refused, by reason.", "reason", c.Refused)
	s.Counters("canvass_link_reset_total", "Connections ended, by cause.", "cause", c.Reset)
}

// timedStore measures the commits of a store.
type timedStore struct {
	life.Store
	metrics *observe.Metrics
}

// Commit makes puts durable.
func (s timedStore) Commit(puts ...disk.Put) error {
	began := time.Now()
	err := s.Store.Commit(puts...)
	s.metrics.Committed(time.Since(began))
	return err
}

// coreNames are the kinds of cores as metrics name them.
var coreNames = map[uint8]string{
	life.PeerCore: "peer", life.MusterCore: "muster", life.LeaseCore: "lease", life.CustodyCore: "custody",
	life.PlacementCore: "placement",
}

func coreName(core driver.CoreID) string { return coreNames[core.Kind] }

// clocks watches whether the clocks of the machine are as accurate as leases assume.
type clocks struct {
	*life.Runtime
	observe.ClockWatch
	drift float64 // that leases allow for
}

// watch looks at the clocks from time to time.
func (c *clocks) watch() {
	for _, text := range c.Look(c.drift) {
		c.Log.Warn(text)
	}
	c.After(observe.ClockEvery, c.watch)
}
