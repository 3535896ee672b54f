// Package metric turns records of a run into statistics, and statistics of several runs into
// intervals.
//
// A job needs k nodes, is submitted at s, starts at b and ends at e. Its wait is Q = b - s, its run
// time R = e - b, its area kR. From these follow, with a threshold of ten seconds for short jobs
// (Feitelson 1997):
//
//	response             Q + R
//	bsld                 max(1, (Q+R) / max(R, 10 s))       bounded slowdown
//	sjackson             1 + Q / max(R, 10 s)               slowdown of Jackson (2015), section 4.3
//	bsld_per_processor   max(1, (Q+R) / (k max(R, 10 s)))   (Zotkin and Keleher 1999)
//
// Of each measure x over the n counted jobs:
//
//	mean        sum of x / n
//	median, p90, p95, p99
//	            nearest rank: the value with index ceil(p n / 100), counted from 1, of the sorted
//	            values; it is always one of them
//	sd          square root of the sum of (x-mean)^2 / (n-1); 0 for a single job
//	area_mean   sum of kRx / sum of kR; the mean if no job has an area
//
// The same by class of size (1, 2-3, 4-7, …) and of run time (<10 s, <1 min, <10 min, <1 h, <10 h,
// >=10 h). Of the whole run, with N nodes, over the jobs that ran, whether they are counted or not:
//
//	makespan            last end - first submission
//	utilisation         sum of kR / (N makespan)
//	span_utilisation    the same of the work done and the time between first and last submission
//	throughput          jobs / makespan
//	mean_queue          sum of Q / makespan: jobs that wait, averaged over time
//	max_queue           the most jobs that wait after all events of an instant
//	mode_shape          the most frequent size and run time of all jobs, in bins that double
//	idle_while_waiting  integral of the free nodes over the times at which some job waits
//
// Of the counted jobs:
//
//	mode_ceil_sjackson  the most frequent sjackson, rounded up; of equally frequent ones the least
//	jain_users_bsld     Jain's index (sum of x)^2 / (U sum of x^2) of the mean bsld x of U users
//	variance_bsld       the square of the sd of bsld
//	max_over_median     largest wait / median wait
//	share_overtaken     share of the jobs that a younger job overtook: that one is later in the
//	                    workload, started earlier, and ran in a cluster that is large enough for the
//	                    older job, so that delaying it could have helped. It is 0 if no job starts in
//	                    a cluster that an older waiting job could use. A job that is backfilled and
//	                    delays no other counts as overtaking, too.
//
// # Formulas
//
// A [Formula] is a measure of a user's own over the table of counted jobs, as in
// p99(wait/requested) or mean(wait where nodes >= 64)/mean(wait):
//
//	wait, run, requested, nodes, …   a field of each job: see [Fields]; times are in seconds
//	+ - * /  < <= > >= == !=         numbers of each job, or of the run; comparisons are conditions
//	and or not                       of conditions
//	min(x, y, …) max(x, y, …) log(x) exp(x)
//	                                 of the values of one job
//	mean(x) median(x) p90(x) p99.9(x) min(x) max(x) sd(x) sum(x)
//	                                 statistics over jobs; percentiles are nearest ranks, as above
//	share(c) count(c) count()        of the jobs for which a condition holds, and of all
//	mean(x where c)                  a statistic over the jobs for which a condition holds
//
// A value is unknown if the log does not have it, or if it is a division by zero, a log of 0 or
// less, or too large a result (exp(800)). An unknown operand makes a result unknown. There is one
// exception: "or" holds if one side holds, and "and" does not hold if one side does not, whatever
// the other side. Statistics leave out unknown values; share and count leave out jobs with an
// unknown condition, so count(requested > 0) is the number of jobs with a known request. A
// statistic of no values is undefined, except sum and count, which are 0. The sd of one value is
// undefined, too; the summary has 0 for it.
//
// # Usage
//
// [Summarise] checks the records and returns a [Summary], which JSON encodes with a unit in each
// name. Trimming ([Options]) leaves out jobs of the warm-up and the cool-down. Numbers of several
// seeds become an [Estimate]: ratios by seed by [GeometricMean], medians and percentiles of jobs by
// [Range.Median], other numbers by [Range.Mean]. [RangeOf] is the range of a number of a summary.
// All of them use [Interval] or [Bootstrap].
//
// # Guarantees
//
//   - Checked: records that start a job early, twice, or on more nodes than a cluster has are
//     refused ([ErrRecords]).
//   - Exact: sums of times and areas are integers of any length, so nothing overflows, and their
//     quotients are rounded once. The shares and the mode are decided by integers.
//   - Repeatable: a summary does not depend on the order of the records or on the machine, and the
//     bootstrap draws from a stream with a fixed seed.
//   - Possible: no interval of an estimate contains a value that its number cannot have.
//
// # Assumptions
//
//   - All records fit into memory: a few hundred bytes a job.
//   - Values of an estimate are independent. Those of an [Interval] are roughly normal, as means
//     over many jobs are unless a few jobs dominate them. [GeometricMean] assumes this of the
//     logarithms of its values.
package metric
