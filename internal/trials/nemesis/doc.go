// Command nemesis runs real daemons under faults: crashes, pauses, partitions and load, drawn from
// a seed, while clients submit jobs that record when they ran.
//
//	plan.go      which fault happens when: drawn from a seed, printed, parsed
//	fabric.go    the network: a TCP proxy before each daemon, which cuts, slows and resets links
//	job.go       the program of jobs: it prints, and leaves files
//	clients.go   users that submit, wait, cancel, ask, die and try again
//	agenda.go    the schedule of a run
//	run.go       carries the plan out and heals
//	settle.go    waits until the grid has settled, and collects what the judges look at
//	harm.go      what the faults have done, for which the judges allow
//	faults.go    the faults
//	attacks.go   jobs that leave files that are hard to remove, and floods of strangers
//	hostile.go   members that send messages that no daemon sends
//	leave.go     daemons that are made to leave, by canvass node drain or SIGTERM
//	judge*.go    whether the run kept the promises of docs/daemon.md
//	report.go    the result
//
// # Usage
//
// "make nemesis SEED= MINUTES=" builds the program, runs it, and prints the plan, the bounds, a
// count of the faults that really happened, and the verdicts.
//
//	nemesis -canvass bin/canvass -seed 7 -minutes 5
//	nemesis -canvass bin/canvass -plan FILE      # a plan that was printed
//	nemesis -mutant permit-while-open            # a daemon with a mistake: the run must turn red
//
// It exits with 0 if all judges are content, 12 if one found a violation, 20 if one could not
// decide, and 1 or 2 if the run could not be made. With -mutant a violation is wanted: 0 means that
// a judge found one, and 12 that all judges are content.
//
// # Guarantees
//
//   - Again: a plan is a function of its seed, of the number of daemons, the duration and the
//     bounds. Its effects are not, since the kernel schedules the processes.
//   - Honest: a fault counts only if it happened, such as a kill of a process that was there. A
//     judge that cannot decide says so, and that is no pass.
//   - Bounded: plans avoid faults beyond the promises of the daemon. The report prints these
//     bounds.
//
// # Assumptions
//
//   - The machine is Linux, and the whole network 127.0.0.0/8 is local.
//   - All processes of a run share CLOCK_BOOTTIME.
//   - The machine is not so slow that a daemon misses the stated times by itself.
package main
