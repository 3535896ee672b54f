package central

import (
	"slices"

	"github.com/canvass-grid/canvass/scheduler"
)

// policy says which queues there are and how each is run.
type policy struct {
	scheduler.Policy
	queues queues
	open   func(base) discipline
}

// queues says which queue a job joins when it is submitted.
type queues int

const (
	single    queues = iota // the one queue of all clusters
	home                    // that of the cluster which the workload names
	lightest                // that of the cluster with the least demand
	drawn                   // that of a cluster drawn by chance
	byCluster = home        // from here on, each cluster has a queue
)

// policies lists the policies of this package, and then the registered ones.
func policies() []policy {
	registered.lock.Lock()
	defer registered.lock.Unlock()
	return slices.Concat(builtIn(), registered.all)
}

func builtIn() []policy {
	return []policy{
		{plain("fcfs", "only the head of the queue may start, once a cluster has room for it"),
			single, openFCFS},
		{plain("fcfs-ideal", "a job may start in a cluster if no older waiting job could ever run there"),
			single, openFirstFit(false)},
		{plain("first-fit", "any job that fits starts, the oldest first; large jobs may starve"),
			single, openFirstFit(true)},
		{guided("easy", "the head has a reservation; others start if they cannot delay it, the oldest first"),
			single, openEasy(byAge)},
		{guided("easy-sjbf", "as easy, but others start in order of their estimates"),
			single, openEasy(byEstimate)},
		{guided("easy++", "as easy-sjbf, with a user's last two run times instead of estimates"),
			single, openEasy(byPrediction)},
		{guided("conservative", "each job has a reservation, and none is ever moved to a later time"),
			single, openConservative},
		{guided("sjf", "the job with the shortest estimate is the head, and only the head may start"),
			single, openByKey(func(j *scheduler.Job) int64 { return j.EstimateMicros })},
		{plain("sjf-exact", "the job with the shortest run time is the head, and only the head may start"),
			single, openByKey(func(j *scheduler.Job) int64 { return j.RunMicros })},
		{guided("ljf", "the job with the longest estimate is the head, and only the head may start"),
			single, openByKey(func(j *scheduler.Job) int64 { return -j.EstimateMicros })},
		{plain("smallest", "the job with the fewest nodes is the head, and only the head may start"),
			single, openByKey(func(j *scheduler.Job) int64 { return int64(j.Nodes) })},
		{plain("home-fcfs", "fcfs in each cluster, for the jobs whose partition it is in the workload"),
			home, openFCFS},
		{guided("home-easy", "easy in each cluster, for the jobs whose partition it is in the workload"),
			home, openEasy(byAge)},
		{plain("least-loaded", "a job joins the fcfs queue of the cluster with the least demand per node"),
			lightest, openFCFS},
		{scheduler.Policy{
			Name: "random", Rule: "a job joins the fcfs queue of a cluster drawn from those that are large enough", Draws: true,
		}, drawn, openFCFS},
		ofTasks("fifo", "of the tasks whose predecessors have ended, one of the oldest job is the head, and only the head "+
			"may start"),
		ofTasks("srtf", "as fifo, but the head is the task from which on its job takes the least time"),
	}
}

// plain makes a policy without estimates, and guided a policy with estimates.
func plain(name, rule string) scheduler.Policy { return scheduler.Policy{Name: name, Rule: rule} }
func guided(name, rule string) scheduler.Policy {
	return scheduler.Policy{Name: name, Rule: rule, Estimates: true}
}

// find looks up the policy and checks the other options.
func find(o Options) (policy, error) {
	var names []string
	for _, p := range policies() {
		names = append(names, p.Name)
		if p.Name != o.Policy {
			continue
		}
		return p, o.check()
	}
	return policy{}, known("policy", o.Policy, names)
}

// discipline is how a queue is run.
type discipline interface {
	submit(j int32)               // a job joins the queue
	release(j int32)              // a job of the queue has given back its nodes
	complete(j int32)             // and has ended; usually at once
	correct(j int32, until int64) // a job runs longer than expected; until is its new expected end
	pass()                        // starts the jobs that are to start now
}

// base is embedded in all disciplines. Its methods do nothing, as most disciplines do for events
// that change neither their queue nor the nodes.
type base struct {
	*engine
	places []int   // the clusters that the queue is for
	joins  []int32 // jobs that will join it, in order of submission; nil if the run decides that
}

func (base) release(int32)        {}
func (base) complete(int32)       {}
func (base) correct(int32, int64) {}
