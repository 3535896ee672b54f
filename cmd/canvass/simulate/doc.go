// Package simulate implements the command simulate.
//
// # Usage
//
// The program passes a [verdict.Env] to [Command], and adds the returned command to its own.
//
// # Guarantees
//
//   - Saved: the plan of a run that violates a property is on the disk as soon as it is found.
//   - Shrunk: the shortest runs that violate a property are shrunk, and the smallest one is
//     replayed and saved as a trace.
//   - Honest: a verdict covers only the seeds that were run, and names their number.
//
// # Assumptions
//
//   - A scenario lists the properties that it is expected to violate.
package simulate
