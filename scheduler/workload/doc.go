// Package workload implements what is done to a workload before it is scheduled: it selects and
// transforms jobs, sets estimates of run times, leaves out jobs that fit nowhere, and describes the
// rest.
//
// A selection is a list of steps, applied from left to right:
//
//	filter:parallel              jobs of at least 2 nodes
//	filter:size<=N               jobs of at most N nodes
//	filter:cluster=I             jobs of partition I (field 16 of the log)
//	head:N                       the first N jobs
//	window:densest:N[:parallel]  the N consecutive (parallel) jobs with the shortest span
//	window:busiest:DURATION      the window of that length with most submissions
//	window:drawn:N               N consecutive jobs: each window is as likely as another
//	compress:to=DURATION         times between submissions scaled so that they span DURATION
//	compress:by=FACTOR           times between submissions divided by FACTOR
//	load:to=LOAD                 times between submissions scaled so that the load is LOAD
//	runs:by=FACTOR               run times and requested times multiplied by FACTOR
//	fold:FACTOR, fold:by=FACTOR  sizes divided by FACTOR, rounded up
//	shake:DURATION               each submission moved by up to DURATION, either way
//
// A DURATION is a decimal number with unit ms, s, m, h or d; without a unit it is in seconds. The
// load is the offered load: the sum of size times run time, divided by nodes times the span of
// submissions. It counts all jobs, including jobs that are excluded later. Drawn
// windows and shaking are the ways to get many workloads from one log. Windows have other jobs, and
// stand for the log; shaken ones are the same jobs in another order (Tsafrir, Ouaknine and
// Feitelson, "Reducing performance evaluation sensitivity and variability by input shaking", 2007).
//
// # Usage
//
//  1. Apply [Select] to a workload that package swf has read or a generator has made.
//  2. Apply [Exclude] with the platform, so that each job left can run somewhere.
//  3. Apply [Estimate] if the policy uses estimates.
//  4. Print [Describe] to see the remaining jobs, or [Compare] to see how far it is from other
//     jobs.
//
// # Guarantees
//
//   - Unchanged: no function changes the workload that it is given.
//   - Exact: factors are decimal fractions and times whole microseconds. A result that is not whole
//     is rounded to the nearest one, so equal input gives equal jobs on every machine.
//   - Bounded: a time beyond 2^60 µs is an error that names the job, never a wrong number.
//   - Counted: each step notes in Workload.Changes how many jobs it left out or changed.
//   - Repeatable: random steps depend on the seed and their position among random steps only.
//   - Ordered: jobs stay sorted by submission, and those submitted at once keep their order.
//
// # Assumptions
//
//   - Jobs are sorted by submission, as all makers of workloads leave them.
//   - A window begins a new clock: its first submission is at time 0. Other steps keep the clock.
//   - Nodes of a workload is a fact about its log. Folding does not change it.
package workload
