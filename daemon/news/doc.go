// Package news keeps the latest events of an incarnation for users, and wakes users that wait for a
// job to be accepted or to end. It only follows events and records: nothing that the daemon decides
// depends on it.
//
// # Usage
//
//  1. Make [News] with [New], and fill in its functions.
//  2. Call [News.Tell] with each event of a core, and [News.JobChanged] with each change of a
//     record.
//  3. Users wait with [News.Acked] and [News.UntilEnd], and [News.LeaveOff] ends a wait.
//
// # Guarantees
//
//   - Complete: events after a cursor are all of them, in order, or the cursor is refused.
//   - Bounded: up to [Limit] events are kept. Notes about a job are dropped at its end.
//
// # Assumptions
//
//   - All methods run on the goroutine of the node.
package news
