// Package library has the contents of a daemon: inputs and outputs of the jobs that it keeps, and a
// cache of the inputs of other jobs. It reads the contents of other daemons piece by piece. Which
// contents a daemon keeps, and who copies them when, is decided in package node; files and digests
// are those of package blobs.
//
// # Usage
//
//  1. Make a [Library] with the runtime of a daemon, and call [Library.Open] or set Kept and Cache.
//  2. Set OnDamage, and answer the calls Blob and Examine with its methods.
//
// # Guarantees
//
//   - Sound: a damaged copy is removed when it is read, and OnDamage is called with its digest.
//   - Patient: if the copy of one daemon is damaged, the others are asked, and that daemon compares
//     the digest of its copy.
//
// # Assumptions
//
//   - Lay, Fetch, Sound and KeepContent run beside the goroutine of the node.
package library
