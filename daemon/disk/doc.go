// Package disk keeps what a daemon must not lose: the identity of its lives, the jobs that it has
// acknowledged, and their outcomes. It is a thin layer over bbolt, one file a daemon.
//
// # Usage
//
// [Open] the folder of the daemon, once a process, and [Store.Claim] it. [Store.Commit] makes puts
// durable, all or none. [Store.Get] and [Store.Each] read what was committed.
//
// # Guarantees
//
//   - Durable: when Commit returns nil, the bytes survive a power cut.
//   - Atomic: the puts of a Commit are there all, or none is.
//   - OneDaemon: a folder that a daemon uses cannot be opened by a second one ([ErrInUse]).
//   - NoGuess: a file of another schema is refused ([ErrSchema]), with both numbers.
//   - OneNode: a file that another node has claimed is refused ([ErrOwner]).
//   - Named: an error of the disk, and a file that is damaged, is an [ErrStorage] with the file and
//     the remedy.
//   - Checked: each value has a checksum, CRC-32C, with its bucket and key. [Open] checks all of
//     them, and each read checks those that it returns: a value that is not as it was written there
//     is a [ValueError]. So is one that the function of [Store.Each] cannot read. Damage that keeps
//     bbolt from going on breaks the store: all that follows is the same error.
//
// Of damage to what bbolt keeps beside the values, [Open] finds what keeps them from being read in
// order. It does not find that a page has lost its last keys, or that the file is that of the last
// commit but one: when one of the two copies of the root is damaged, bbolt goes on from the other.
// A file that is gone, or of no bytes, is a new one. When the first child of a branch page is that
// page itself, or a page above it, [Open] does not end: bbolt follows it without a bound.
//
// # Assumptions
//
//   - The disk keeps what fsync says that it keeps. After an error of Commit the caller ends the
//     process: an fsync that has failed is never tried again.
package disk
