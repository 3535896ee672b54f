// Package central implements scheduling policies that have one queue and know everything: the
// baselines of grid and cluster studies (Feitelson's survey of 1997; Lifka 1995; Mu'alem and
// Feitelson 2001; Tsafrir, Etsion and Feitelson 2007; the idealised FCFS of Jackson 2015, section
// 4.3.2). A run is an event-driven simulation on whole microseconds.
//
//	fcfs          only the head of the queue may start, once a cluster has room for it
//	fcfs-ideal    a job may start in a cluster if no older waiting job could ever run there
//	first-fit     any job that fits starts, the oldest first; large jobs may starve
//	easy          the head has a reservation; others start if they cannot delay it
//	easy-sjbf     the same, others in order of their estimates
//	easy++        the same, with a user's last two run times instead of estimates
//	conservative  each job has a reservation, and none is ever moved to a later time
//	sjf           shortest estimate first, without backfilling
//	sjf-exact     shortest run time first, without backfilling
//	ljf           longest estimate first, without backfilling
//	smallest      fewest nodes first, without backfilling
//	home-fcfs     fcfs in each cluster, for the jobs whose partition it is in the workload
//	home-easy     easy in each cluster, likewise
//	least-loaded  fcfs in each cluster; a job joins the one with the least demand per node
//	random        fcfs in each cluster; a job joins one by chance
//
// # Usage
//
// [Run] takes a workload, a platform and [Options], and returns a record for each job. To treat a
// grid as one machine, as studies of a single log do, pass a platform of one cluster: Pool of
// package platform makes it. Policies that need estimates read EstimateMicros of each job, which
// package workload sets. Partition p of a job is cluster p-1 of the platform.
//
// # A policy of your own
//
// [Register] adds a policy: a function that is called after each submission or completion, and
// starts jobs through a [View], which hides run times. First-fit takes the least code:
//
//	central.Register(scheduler.Policy{Name: "mine", Rule: "any job that fits starts"},
//		func(v *central.View) central.Decider {
//			return func() error {
//				for j := range v.Queue() {
//					if c := v.Choose(j.Nodes); c >= 0 {
//						v.Start(j.Index, c)
//					}
//				}
//				return nil
//			}
//		})
//
// Package program runs policies in any language by the same view. docs/own-policy.md explains both.
//
// # Rules
//
// A job lies in one cluster. Equal jobs are taken in order of submission, then of the workload. At
// each time, completions come first, then submissions, then one pass of the policy. With passes
// "event" it is as in pyss, see [Passes].
//
//   - fcfs-ideal closes each cluster that is large enough for an older waiting job.
//   - easy: the shadow time is when enough nodes for the head are free, as far as estimates say. If
//     there are several clusters, the reservation is in the one where that is earliest. Another job
//     starts in that cluster if it ends by the shadow time, or takes no more than the extra nodes
//     which the head leaves free then.
//   - easy++: the estimate is the mean run time of the user's last two jobs that have ended, at
//     least a second and at most EstimateMicros. It is EstimateMicros for users with fewer jobs.
//     Predictions of waiting jobs follow what becomes known. When a prediction is exceeded,
//     EstimateMicros takes its place.
//   - conservative: a job gets the earliest reservation that delays no other. After an early end,
//     each waiting job in order of submission moves to the earliest time that is now possible. In
//     the next such pass they are tried again, even if the end was not early: as moved jobs have
//     made room for jobs tried before them. [Compressions] lists other readings of the literature.
//   - least-loaded: demand is the nodes of all jobs of the cluster, waiting or running, and those
//     of the new job. Of equal clusters the first is taken.
//
// A job that runs longer than its estimate is not killed: the run time comes from the workload. Its
// estimate is doubled when it is exceeded, until it is no longer too small. Easy uses the new
// estimate in its next pass. Conservative makes all reservations anew at once, and they may become
// later.
//
// # Guarantees
//
//   - Repeatable: equal arguments give equal records on every machine. No decision depends on a
//     floating-point number, a clock, or the order of a map.
//   - Sound: a job starts once, not before its submission, in one cluster, which has that many free
//     nodes. Each job has a record: it has run, or it is excluded with a reason. One function
//     checks each start of each policy. If a registered policy starts a job twice, or a job that
//     does not fit, or leaves jobs waiting forever, the run ends with a [PolicyError].
//   - NoDelay: with exact estimates, easy starts the head no later than its first shadow time.
//   - NeverLater: conservative moves no reservation to a later time, unless an estimate was
//     exceeded, or all reservations are made anew (Options.Compress). With each, the code checks
//     this, and panics otherwise.
//   - Ordered: under fifo and srtf no task starts before its predecessors have ended, and none
//     overtakes the head.
//   - Unknown ends: with an estimate of math.MaxInt64 nothing is known about a job's end. If all
//     estimates are so, easy is fcfs.
//
// # Assumptions
//
//   - The jobs are sorted by submission. Run refuses other workloads.
//   - The last submission and all run times add up to at most 2^62 microseconds. For conservative
//     the estimates must, too. Run refuses larger workloads.
//   - Queues are as long as in real logs if the policy is conservative: it may look at each waiting
//     job after each end. The same holds for easy++, at less cost for each job. For all other
//     policies, an end costs about the logarithm of the queue's length.
package central
