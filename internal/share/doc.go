// Package share picks a share of a list of trials that takes long as a whole. CI tries one share a
// commit; a person tries all.
//
// # Usage
//
//	CANVASS_SHARE=2/4 go test ./model/catalog
//
// [Of] returns the share that the variable names, or all if it is empty. The rest is not tried, so
// a caller reports how many of how many it has tried.
//
// # Guarantees
//
// The shares 1/n to n/n of a list are disjoint, and all of the list together.
package share
