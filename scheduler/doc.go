// Package scheduler holds what all scheduling experiments share: jobs and workloads, platforms,
// records of the fate of each job, and streams of random numbers.
//
// The packages below it read and make workloads (swf, generate, workload), describe machines
// (platform) and latencies (latency, cluster), schedule (central, parallel), measure (metric), run
// cells and keep their rows (lab), judge claims (experiment), and draw (plot, report). The
// definitions are those of the field: the Standard Workload Format of the Parallel Workloads
// Archive, and bounded slowdown with a threshold of ten seconds.
//
// # Usage
//
// A [Workload] is read by package swf or made by package workload; its jobs are sorted by
// [Workload.Sort]. A [Platform] comes from package platform. A policy turns the two into one
// [Record] for each job, and package metric turns the records into statistics.
//
// The jobs of most workloads are rigid, and take no more memory than that. A workload may also have
// [Tables]: requirements of jobs ([Needs]), tasks with an order ([Tasks]), and values that fall
// as jobs take longer ([Curves]). A platform may tell single nodes apart ([Machines]).
//
// A [System] is a scheduler: its policies and their settings. Package lab runs all systems
// alike: it reads the settings that they share, and [System.Prepare] reads the others.
//
// # Guarantees
//
//   - Exact: times are whole microseconds and latencies whole nanoseconds. No decision of a
//     scheduler depends on a floating-point number.
//   - Repeatable: [Stream] gives equal numbers for equal seeds and purposes, on every machine.
//
// # Assumptions
//
//   - A job without [Tasks] is rigid: it needs exactly its number of nodes at once, in one cluster,
//     until it ends. Its run time does not depend on where it runs. So is each task.
//   - Nodes do not fail while a central policy runs.
package scheduler
