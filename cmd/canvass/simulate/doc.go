// Package simulate implements the command simulate.
//
// # Usage
//
// The program passes a [verdict.Env] to [Command], and adds what it returns.
//
// # Guarantees
//
//   - Saved: the plan of a run that violates a property is on the disk as soon as it is found.
//   - Shrunk: of the runs that violate a property the shortest are shrunk, and the smallest one is
//     saved as a trace that was replayed.
//   - Honest: a simulation holds on the seeds that were run, and says how many they were.
//
// # Assumptions
//
//   - A scenario lists the properties that it is expected to violate.
package simulate
