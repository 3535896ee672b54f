// Package blobs implements a folder of immutable contents by their SHA-256: the inputs and outputs
// of jobs at their custodians, and at hosts what they have fetched.
//
// # Usage
//
// [Open] a folder. [Store.Put] keeps what a reader has, [Store.Open] reads it back. [Store.Sweep]
// removes what is no longer wanted. [Store.Sound] compares the digest before anybody reads, and
// removes a content that is damaged, so that another copy can take its place.
//
// # Guarantees
//
//   - Durable: when Put returns, the content and its name are on the disk.
//   - Whole: a content has its name only after all of it was written and its digest compared.
//   - Confined: only what a digest names is looked for, whatever text is given for one.
//   - Bounded: Put takes at most so many bytes.
//
// # Assumptions
//
//   - One process uses a folder. What a crash has left half written is removed by Open.
package blobs
