// Package statekey makes the keys of states in the visited set.
//
// Four kinds of keys are exact: different states always have different keys.
//
//	direct   The words side by side, each with as many bits as its values have needed so far.
//	         It serves as long as all of them fit into 63 bits.
//	grouped  A direct key in which several words are one: the number of their joint value.
//	paired   Two direct keys, as long as each half of the words fits into 63 bits.
//	folded   As many words side by side as fit into 32 bits. These numbers are folded in pairs, and
//	         the pairs in pairs, each replaced by a number of its own, until one pair remains.
//
// The other two kinds are fingerprints: hash values of the words, which different states may share.
//
// A [Layout] says how keys are made, a [Keyer] makes them for one goroutine. When a word outgrows
// its bits, [Keyer.Make] reports it; the caller then surveys the states found, asks for another
// layout and makes all keys again.
package statekey
