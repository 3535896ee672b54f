// Package jobs defines the jobs that users submit, the records that daemons keep of them, and the
// reports about them.
//
//	spec.go      a job as a user hands it in; jobfile.go, array.go and files.go its parts
//	record.go    all that custodians know of a job beside what they decide
//	follow.go    how a record follows the decisions of package custody
//	table.go     the records of a daemon, and how they change
//	index.go     how they are found; find.go by a part of the id, family.go elements of arrays
//	copy.go      records on the disk and on the wire
//
// # Usage
//
// A daemon makes a [Table] over its store and calls it from one goroutine. [Table.Take] takes a
// job, and [Table.Adopt] the copy of another custodian. Ask, Deposit and Want record requests about
// the job. [Table.Follow] updates the record to the decisions of its custodians. The daemon commits
// [Table.Puts] before it reports anything.
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
//   - Daemons that take jobs under one key at the same time do not notice each other: a client that
//     tries again does so at the same daemon.
package jobs
