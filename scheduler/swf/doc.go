// Package swf implements the Standard Workload Format, version 2.2, of the Parallel Workloads
// Archive (www.cs.huji.ac.il/labs/parallel/workload/swf.html): a strict reader and a writer.
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
// A [scheduler.Job] has no place for CPU time, memory, preceding job and think time. Reading checks
// these fields and leaves them out; writing writes -1. Jobs that wait for a preceding job are
// counted in Workload.Changes: no policy lets them wait, so the submit time of the log counts.
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
//     that has more decimals or is too large is an error.
//   - Strict: a line that the format does not allow is an [Error] that names file, line, field and
//     remedy. A log with an error yields no workload.
//   - Nothing silent: each job that is dropped or changed is counted in Workload.Changes.
//   - Round trip: Read with [Verbatim] options reads the output of Write as equal jobs, except for
//     their estimates, which the format does not have.
//   - Bounded: lines, headers and the number of jobs have limits, so that a file of another kind
//     ends in an error.
//
// # Assumptions
//
//   - A line with status 2, 3 or 4 and the job number of the preceding line is a part of a job that
//     was swapped out. It is dropped, since the whole job has a line. Logs that use these numbers
//     as exit codes are not affected, unless they use a job number twice in a row.
//   - Processors of the log are nodes, or a fixed number of processors is a node (Unit "node"). On
//     a machine with different kinds of nodes the latter is an approximation.
package swf
