// Package lease is a lock that is lent for a time, twice: as a sketch of a few lines on package
// checker, and as a message-passing core on package model. The tutorial in docs/ builds it step by
// step.
//
// A server lends the lock to one client at a time and counts the time from when it sends the Grant.
// The core is right if the client counts its own time from when it asked: that is earlier, so its
// lease is over before the server lends the lock to somebody else. If it counts from when the Grant
// arrives (Late), a Grant that was long on its way is held too long, and two clients hold the lock.
//
// That rests on clocks that run alike. A timer that fires early is a fault, of which the budget
// says how many; one is enough for two holders.
package lease
