// Package pieces reads files of other nodes: raw bytes in pieces, several of them under way at
// once, beside the goroutine of a node. Its transfers delay no lease and no core.
//
// # Usage
//
//  1. Make an [Exchange] with a function that opens files by their names, and pass it what arrives
//     to [Exchange.Receive]. That may block: it reads a disk.
//  2. Give it a way to send with [Exchange.Connect].
//  3. [Exchange.Open] reads a part of a file of another node.
//
// # Guarantees
//
//   - In order: a [Reader] returns the bytes of the file from its offset on, each once. Pieces that
//     are lost are asked for again.
//   - Bounded: from one node at most [Window] pieces of [Size] bytes are asked for and not yet
//     here, by all readers together, so that the queue of the node to this one does not overflow.
//   - Ends: a piece that has not come after [Patience] is [ErrSilent].
//
// # Assumptions
//
//   - Files only grow while they are read. A shortened file ends early.
//   - Messages are authentic, and can be lost, repeated and delayed.
package pieces
