// Package swf implements the Standard Workload Format, version 2.2, of the Parallel Workloads
// Archive (www.cs.huji.ac.il/labs/parallel/workload/swf.html): a strict reader and a writer. It
// also reads two other formats, as logs of this one.
//
// A log is text, a line for each job. A line has 18 fields between white space, and -1 stands for
// an unknown value. Lines that begin with a semicolon are comments; those before the first job form
// the [Header]. The fields are
//
//	1 job number               7 used memory           13 group
//	2 submit time, s           8 requested processors  14 executable
//	3 wait time, s             9 requested time, s     15 queue
//	4 run time, s             10 requested memory      16 partition
//	5 allocated processors    11 status                17 preceding job
//	6 CPU time, s             12 user                  18 think time, s
//
// A [scheduler.Job] has no place for CPU time, memory, preceding job and think time. Reading leaves
// these fields out, and counts texts in them that the format does not allow; writing writes -1.
// Jobs that wait for a preceding job are counted in Workload.Changes: no policy lets them wait, so
// the submit time of the log counts.
//
// A job that was swapped out has a line for the job as a whole (status 0, 1 or 5), and one for each
// part between two swaps (status 2; 3 or 4 for the last part), with the same number. Studies of
// workloads use the first line alone, as the format says. Status "any" of the [Options] keeps all
// lines.
//
// # Other formats
//
// The Grid Workloads Format (Options.Format "gwf") has 29 fields between tabs, and # before
// comments. The first eleven are those above. Users, groups, executables, queues (fields 12 to 15)
// and the sites on which jobs ran (18) have names; each name gets a number, and the site is the
// partition. Jobs of bags and workflows (19) are submitted when the log says, and counted.
//
// Of the output of Slurm's sacct --parsable2 ("sacct"), columns are found by the names in the first
// line, in any order: JobIDRaw or JobID, Submit, Start, ElapsedRaw, Elapsed or End, TimelimitRaw or
// Timelimit, ReqCPUS, AllocCPUS or NCPUS, State, User, Group, JobName (the executable), QOS (the
// queue) and Partition. With Unit "node", sizes are from ReqNodes, NNodes or AllocNodes.
//
//   - Steps (90.batch) and jobs that have not ended are left out. So is the second line of a run,
//     as when the outputs of two months are put together. Runs of a job that was queued again
//     (sacct --duplicates) are jobs.
//   - Tasks of an array are jobs. Those that never became jobs are one line, which is dropped.
//     Components of a heterogeneous job are jobs that start one by one.
//   - COMPLETED is status 1, CANCELLED 5, the other ends 0. REVOKED jobs ran elsewhere.
//   - TimelimitRaw is in minutes. UNLIMITED and Partition_Limit are unknown requests.
//   - Times are in seconds since 1970 (SLURM_TIME_FORMAT=%s), or have a zone, or have none and
//     count as if no clock was ever changed: TZ=UTC sacct writes such times.
//
// Logs of both formats begin at their first submission. They seldom state the machine.
//
// # Usage
//
//  1. Read a file with [ReadFile], or a stream with [Read]. Zero [Options] clean a log as the
//     literature does: jobs that did not run or have no processors are dropped, and a run time ends
//     at the requested time. [Verbatim] keeps all that a workload can hold.
//  2. Show the Changes of the workload. They list dropped and changed jobs, with counts.
//  3. If Nodes of the workload is 0, take the machine from elsewhere: the log does not state it.
//  4. Write a workload with [Write], or the schedule of its jobs with [WriteSchedule].
//
// # Guarantees
//
//   - Exact: a time of up to six decimals becomes a whole number of microseconds, and back. A time
//     that is too large is an error. So is a fraction of a microsecond, unless Options.Round rounds
//     it.
//   - Strict: a line that the format does not allow is an [Error] that names file, line, field and
//     remedy. A log with an error yields no workload.
//   - Nothing silent: each job that is dropped or changed is counted in Workload.Changes, and
//     Workload.Header has the used fields of a header.
//   - As other systems leave it: packing, byte order marks and ends of lines are those of
//     fileio.Text.
//   - Round trip: Read with [Verbatim] options reads the output of Write as equal jobs, except for
//     their estimates, which the format does not have.
//   - Bounded: lines, headers and the number of jobs have limits, so that a file of another kind
//     ends in an error.
//
// # Assumptions
//
//   - A line with status 2, 3 or 4 is about a part of a job if its neighbours have the same job
//     number. A single one is a job whose status is an exit code, as in some logs.
//   - Processors of the log are nodes, or a fixed number of processors is a node (Unit "node"). On
//     a machine with different kinds of nodes the latter is an approximation.
package swf
