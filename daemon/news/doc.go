// Package news keeps the latest events of an incarnation for users, and wakes those that wait for a
// job to be accepted or to end.
//
// # Usage
//
//  1. Make [News] with [New], and fill in its functions.
//  2. Call [News.Tell] with each event of a core, and [News.JobChanged] with each change of a
//     record.
//  3. [News.Acked] and [News.UntilEnd] are what users wait for, and [News.LeaveOff] ends a wait.
//
// # Guarantees
//
//   - Complete: events after a cursor are all of them, in order, or the cursor is refused.
//   - Bounded: up to [Limit] events are kept. What is noted of a job is dropped at its end.
//
// # Assumptions
//
//   - All methods run on the goroutine of the node.
package news
