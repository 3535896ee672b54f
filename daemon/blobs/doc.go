// Package blobs implements a folder of immutable contents by their SHA-256: the inputs and outputs
// of jobs at their custodians, and at hosts what they have fetched.
//
// # Usage
//
// [Open] a folder. [Store.Put] stores the contents of a reader, [Store.Open] reads it back.
// [Store.Sweep] removes what is no longer wanted. [Store.Sound] compares the digest before anybody
// reads, and removes a content that is damaged, so that another copy can take its place.
//
// # Guarantees
//
//   - Durable: when Put returns, the content and its name are on the disk.
//   - Whole: a content has its name only after all of it was written and its digest compared.
//   - Confined: only files that a digest names are opened, for any text given as a digest.
//   - Bounded: Put takes at most the given number of bytes.
//
// # Assumptions
//
//   - One process uses a folder. Open removes half-written files of a crash.
package blobs
