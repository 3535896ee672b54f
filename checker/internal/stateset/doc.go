// Package stateset is the visited set of a search: the keys of all states found.
//
// The set is divided by the leading bits of the keys into shards. While states are admitted each
// shard has one owner, so it needs no lock; at all other times the set is only read. To the set,
// equal keys are equal states: whether that is exact is up to the keys (package statekey).
//
// A [Block] carries the candidates of some states through a round: they are added with their keys,
// sorted by shard, admitted, and marked as fresh if they were not known. A [Recent] is a small
// cache of keys in front of the set. Next to the exact tables there is a bitstate set, which keeps
// four bits for each state and may take one state for another.
package stateset
