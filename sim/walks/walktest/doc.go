// Package walktest holds worlds of walks (package sim/walks) to what all of them promise: that
// every plan that is drawn is one of a system, that walks hold and come to rest, and that what
// makes no system is an error which says why.
//
// # What a caller does
//
// Call [Draws], [Holds] and [Refuses] in tests of a package of worlds.
package walktest
