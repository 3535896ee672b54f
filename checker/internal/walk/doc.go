// Package walk draws the actions of a random walk: uniformly, or by probabilistic concurrency
// testing (PCT: Burckhardt, Kothari, Musuvathi and Nagarakatte, 2010).
//
// A walk is a function of its seed. The package is independent of states: a caller passes the
// classes of the enabled actions and gets the index of one of them.
package walk
