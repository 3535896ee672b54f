// Package disk stores the state that a daemon must not lose: the identity of its incarnations, the
// jobs that it has acknowledged, and their outcomes. It is a thin layer over bbolt, one file a
// daemon.
//
// # Usage
//
// [Open] the folder of the daemon, once a process, and [Store.Claim] it. [Store.Commit] makes puts
// durable, all or none. [Store.Get] and [Store.Each] read committed values.
//
// # Guarantees
//
//   - Durable: when Commit returns nil, the bytes survive a power cut.
//   - Atomic: either all puts of a Commit are there or none.
//   - OneDaemon: a folder that a daemon uses cannot be opened by a second one ([ErrInUse]).
//   - NoGuess: a file of another schema is refused ([ErrSchema]), with both numbers.
//   - OneNode: a file that another node has claimed is refused ([ErrOwner]).
//   - Named: an error of the disk, and a file that is damaged, is an [ErrStorage] with the file and
//     the remedy.
//   - Checked: each value has a checksum, CRC-32C, with its bucket and key. [Open] checks all of
//     them, and each read checks the returned values: a value that differs from the written one is
//     a [ValueError]. So is a value that the function of [Store.Each] cannot read. Damage that
//     keeps bbolt from going on breaks the store: all that follows is the same error.
//
// Of damage to bbolt's own structures, [Open] finds damage that keeps the values from being read in
// order. It does not find that a page has lost its last keys, or that the file is that of the last
// commit but one: when one of the two copies of the root is damaged, bbolt goes on from the other.
// A file that is gone, or of no bytes, is a new one. When the first child of a branch page is that
// page itself, or a page above it, [Open] does not end: bbolt follows it without a bound.
//
// # Assumptions
//
//   - The disk keeps all bytes that fsync confirms. After an error of Commit the caller ends the
//     process: an fsync that has failed is never tried again.
package disk
