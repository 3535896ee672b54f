// Package dtm implements the join of DTM, decentralised trees that predict latencies (Song,
// Keleher, Bhattacharjee and Sussman, INFOCOM 2011; section 2.2.1 of Jackson, 2015), as far as it
// is published, with the simplest leave.
//
// It is kept only to show its flaws. Do not run it. The corrected protocol is package protocol/dtm,
// whose states, messages and pure functions this package uses.
//
// # Usage
//
// A driver makes a state with New of package protocol/dtm, steps it with Start, gives CommandJoin
// with one member of the tree or CommandLeave, and obeys each Output as package protocol
// prescribes. [Core] is the core.
//
// # Guarantees
//
// None of the protocol's. Package model/dtm states for each model whether it is expected to fail,
// and why. traces/corpus holds a shortest run for each failure. In the code, Step is pure.
//
// # Assumptions
//
//   - Each message arrives exactly once, in any order. The text mentions no loss.
//   - No host fails.
//
// # Differences from the paper
//
// The join is as published: a greedy walk in the anchor tree, from a random base, to the host with
// the largest Gromov product. The behaviour when hosts join or leave at once is not published, nor
// how they leave. The decisions where the text is silent are the simplest ones:
//
//	passage                                 | here
//	----------------------------------------+--------------------------------------------------------
//	a host attaches to its anchor           | one message; the anchor takes every child
//	a host knows its distance label         | its anchor sends it once, and again when it has changed
//	a host leaves                           | it sends each child its new place and ends
package dtm
