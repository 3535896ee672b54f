// Package paxos is single-decree Paxos (Lamport, The Part-Time Parliament, 1998) as a
// message-passing core on package model: three servers, and clients each of which writes a value at
// one server and, when that is acknowledged, reads at the next. Any server may propose; a value is
// decided when a majority has accepted it under one ballot.
//
// The network keeps every message until it makes a difference, in any order, and repeats none. So a
// read that comes to a server which knows of no decision waits there, and the proposal of a server
// that has been overtaken is stuck: what ends a run is not always an answer to everybody, and all
// ends are accepted.
//
// This is the model of the Paxos example of Stateright, without the history that is kept there, so
// that the number of states is known: 1,194,428 with 3 clients and 9,357,525 with 6. Servers do not
// send to themselves, and requests are known by their clients, who make one of each kind.
package paxos
