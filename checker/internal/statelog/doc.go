// Package statelog is the log of a search: every state found, in the order of discovery, with its
// parent in the tree of the search.
//
// The search reads the log once, in order; only paths and liveness come back to it. So a chunk of
// states is packed as soon as it is full, and most chunks live in a temporary file. If the file
// cannot be written, chunks stay in memory. If it cannot be read back whole, the reader panics with
// a [ReadError], so that no caller goes on without the states.
//
// A [Log] has one writer for each chunk and is extended by one goroutine. A [Cursor] reads it for
// one goroutine.
package statelog
