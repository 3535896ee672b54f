// Package jobs defines what users hand in, what the daemon that took it keeps of it, and what it
// tells about it.
//
// # Usage
//
// A daemon makes a [Table] over its store and calls it from one goroutine. [Table.Submit] makes a
// job durable. Permit, Close, Deposit and End follow what the grid says of its attempts. Each of
// them commits before it returns.
//
// # Guarantees
//
//   - KeyOnce: one submit key is one job, also over restarts.
//   - OnePermit: at most one attempt of a job has a permit that is not closed.
//   - OneOutcome: a job ends once, and its outcome never changes.
//   - AckedKept: a job that was submitted is there after a crash of the daemon.
//
// # Assumptions
//
//   - The disk of the daemon comes back. There is one copy of a record, that of the daemon that
//     took the job.
//   - An attempt is closed only when none of its processes runs.
package jobs
