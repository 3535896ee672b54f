// Package protocol is the contract between a protocol core and whatever drives it.
//
// A core is one node of one protocol, written as a value and a pure function:
//
//	Step(cfg *Config, s State, in Input) (State, Output)
//
// The same function is driven by the model checker (package model), which tries every order of
// inputs, by a simulator, which draws the order from a seed, and by a daemon, which takes the order
// that the world gives. What was checked is what runs.
//
// # Guarantees of a core
//
//   - Step is a function: equal arguments give equal results, on every machine, in every run.
//   - Step keeps and changes nothing that it is given. A caller may share, store and compare
//     states.
//   - Every state, message and command has one canonical encoding: equal values have equal bytes
//     and different values different bytes. The encoding is fingerprint, snapshot and wire format
//     at once.
//   - Whatever a peer sends is data. A message that makes no sense is ignored with an [Event] that
//     says why. A core panics only when an invariant of its own is broken.
//
// # What the driver must do, in this order, for each Output
//
//  1. Persist: make the bytes durable before anything below. Nil means unchanged.
//  2. Send: hand each envelope to the network, which may lose, repeat, delay and reorder it, but
//     never alters it and never invents one.
//  3. Cancel, then Set: forget the named timers, then (re)start the named ones. One timer of a name
//     is pending at a time. Setting a pending timer starts it afresh. A duration is given as a
//     range of ticks; the driver draws from it.
//  4. Measure: begin to measure the latency to each of these nodes. Each is answered with an input
//     of kind Measured, or never: a node that does not answer cannot be measured. A new request to
//     measure a node replaces one that is under way.
//  5. Choose: if n > 0, answer with exactly one input of kind Chosen and a Choice in [0, n) before
//     any other input to this node. Others go on meanwhile.
//  6. Events: pass them to the application, the log and the history recorder.
//
// Inputs reach a core one at a time. Time, chance and measurement are inputs: a core owns no clock,
// no random source and no goroutine. Package internal/lint holds the code below protocol/ to that.
//
// # Identity
//
// A [NodeID] is an address and an incarnation. A process that lost its memory in a crash comes back
// at the same address under a larger incarnation and is, to all others, another node. A driver
// keeps the bytes that the core asked it to persist and hands them to the input of kind Restart.
// The state of that step is the one that the process was made with, as at Start: of its former life
// a core knows what it persisted, and nothing else. So it persists its identity, if a later life is
// to have a larger incarnation. A driver delivers an envelope only to the very incarnation that it
// is addressed to.
//
// # What this package does not model
//
// Byzantine peers, and wall-clock time. A timer may fire early or late; a core must be safe when it
// does. Where a core's safety rests on a timer never lying (failure detection), its own package
// documentation says so.
package protocol
