// Package protocol defines the contract between a protocol core and its driver.
//
// A core is one node of one protocol as a sans-I/O state machine: a value and a pure function.
//
//	Step(cfg *Config, s State, in Input) (State, Output)
//
// The driver owns everything else: network, disk, clock and random numbers. It passes each event to
// Step as an [Input], and carries out the [Output]. The model checker (package model), the
// simulator (package sim) and a daemon all drive the same function. The checked code is the code
// that runs.
//
// # Usage
//
// For each input a driver calls Step, keeps the new state, and then carries out the output, in this
// order and before the node's next input:
//
//  1. Persist: make the bytes durable before anything below. Nil means unchanged.
//  2. Send: give each envelope to the network. It may drop, duplicate, delay and reorder envelopes,
//     but it must not alter or invent one.
//  3. Cancel, then Set: stop the named timers, then start the named ones. At most one timer of a
//     name is pending; to set a pending timer is to restart it. Draw its duration from the range.
//  4. Measure: begin to measure the latency to each of these nodes. The answer is an input of kind
//     Measured. No answer comes from a node that cannot be reached. A new request to measure a node
//     replaces a pending one.
//  5. Choose: if it is n > 0, draw a number in [0, n) and pass it as an input of kind Chosen before
//     any other input to this node. Other nodes may go on meanwhile.
//  6. Events: pass them to the application, the log and the history recorder.
//
// At the borders of a node's incarnation, and between inputs:
//
//   - Begin the first incarnation with an input of kind Start.
//   - Pass one input at a time. Deliver an envelope only to the incarnation that it names. Fire a
//     timer only while it is pending; from then on it is not.
//   - After a crash, start an incarnation with the state that the process was made with (not the
//     state that it had) and an input of kind Restart, with the bytes that were persisted last. No
//     timer is pending then.
//
// The example is a driver of two nodes. Package drive is one for daemons and tests.
//
// # Guarantees
//
//   - Deterministic: equal arguments give equal results, on every machine, in every run. A core has
//     no clock, no random source and no goroutine; package internal/lint enforces that.
//   - Pure: Step changes nothing that it is given. A driver may share, store and compare states.
//   - Canonical: every state, message and command has one encoding. Equal values have equal bytes,
//     different values different bytes; an empty list is equal to a missing one. It is fingerprint,
//     snapshot and wire format at once. Checker and simulator compare values with their decoded
//     encodings, so a field that an encoding forgets ends the run.
//   - Robust: a core ignores an invalid message, with an [Event] that says why. It
//     panics only when one of its invariants is broken.
//
// # Identity
//
// A [NodeID] is an address and an incarnation. A process that lost its memory in a crash comes back
// at the same address with a larger incarnation, and is another node to all others. So a core
// persists its identity. The persisted bytes are all that a core has from its earlier incarnation.
//
// # Assumptions
//
//   - Peers are not Byzantine: no message is forged. No core of this repository defends itself.
//   - A step's writes, sends and events are atomic with respect to crashes: a crash falls between
//     two steps. A driver gets this by persisting first.
//   - Timers may fire early or late. A core whose safety rests on a timer (failure detection) says
//     so in its own documentation, with the failure if it fires early.
//
// # Differences from the papers
//
// The papers have no such contract. "Wait a random time" is a timer with a range, "pick one at
// random" is Choose, coordinates are integers: all chance and time is visible to the checker.
package protocol
