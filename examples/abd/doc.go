// Package abd is the replicated register of Attiya, Bar-Noy and Dolev (Sharing Memory Robustly in
// Message-Passing Systems, 1995), for many writers, and checked for linearizability inside the
// checker.
//
// A client first asks a majority of the replicas for what they hold. A writer then stores its value
// under a larger stamp at a majority; a reader stores what it is about to return, the latest that
// it has seen, so that no later reader sees less. A reader that omits that (Careless) is faster and
// wrong: two reads, one after the other, may see the new value and then the old one.
//
// The monitor of the system remembers the history: who called what, and what was returned, in this
// order. Each history that a run can produce is handed to porcupine once, however many states share
// it.
//
// Clients begin when they like. Replicas ignore what is old, and clients what comes too late; such
// messages stay in flight, which makes no difference to anybody.
package abd
