// Package jobs defines what users hand in, what daemons keep of it, and what they tell about it.
//
//	spec.go      a job as a user hands it in; jobfile.go, array.go and files.go its parts
//	record.go    all that custodians know of a job beside what they decide
//	follow.go    how a record follows the decisions of package custody
//	table.go     the records of a daemon; find.go and family.go how they are found
//	copy.go      records on the disk and on the wire
//
// # Usage
//
// A daemon makes a [Table] over its store and calls it from one goroutine. [Table.Take] takes a
// job, and [Table.Adopt] the copy of another custodian. What is wanted of the job is noted by Ask,
// Deposit and Want. [Table.Follow] brings the record to what its custodians have decided about it.
// The daemon commits [Table.Puts] before it lets anybody know.
//
// # Guarantees
//
//   - KeyOnce: one submit key is one job of a table, also over restarts.
//   - EndsOnce: a job ends once, and its end never changes.
//   - NewestStays: of the copies of a record that arrive, in any order, the newest one stays.
//   - OneName: an element of an array has one name, of all coordinators of the array.
//   - Fits: the record of a job that fits into a frame goes on fitting into one.
//
// # Assumptions
//
//   - Only the primary of a job's custodians changes its record.
//   - Daemons that take jobs under one key at the same time do not know of each other: a client
//     that tries again does so at the same daemon.
package jobs
