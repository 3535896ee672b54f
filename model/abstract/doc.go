// Package abstract says what a protocol may do, in one small machine a protocol, written from the
// idea and not from the code. A check of a core's models then shows that the core does nothing
// else: each step of a node is a step of the machine, or changes nothing there. That is the
// property Refines.
//
// # The machine
//
// A machine has nodes and a set of messages. A message that was sent stays in the set, and may
// arrive at any later time, any number of times, or never. So loss, repetition, delay and
// reordering need no actions of their own. There are no timers: what a timer does may happen at any
// time. There are no algorithms for neighbourhoods: a node may ask any set of nodes that it knows.
//
// A [Step] is a step of one node: the node before and after it, the message that arrived or the
// failure that was detected, if any, and what was sent. [ExplainCAN] names its actions, or refuses
// it with the clause that it breaks. It decides, it does not search: each clause says from the
// difference between the two states whether its action was taken.
//
// # Steps of nodes and of the whole
//
// A transition of a model is a step of one node, or the loss of a message, or a crash. The latter
// two need no action: no step depends on a message that is gone or on a node that is down. A
// message that arrives was sent in an earlier step, since the network of package model forges
// nothing; and what that step sent was held to the clauses of messages. So if all steps of nodes
// are steps of the machine, then so is every transition of the reachable graph. Package model
// computes the step of each pair of a state and an input once; each is explained once, however many
// transitions it stands for.
//
// # Usage
//
//  1. Map the states and messages of the core to those of the machine.
//  2. Make that a rule of the core's contract (package model/contract): a step is broken if the
//     machine refuses it. The event of the broken rule has the text of the [Refusal].
//
// Package model/can does so in refines.go.
//
// # The machine of protocol/can
//
// Rounds: Request, Count, Decide, Cancel, Acknowledge at the proposer; Promise, Over, Execute at a
// participant; Orphan and GiveUp if a proposer fails; Reclaim, by which a node takes what the round
// of a failed proposer granted to it, on the word of another; Begin, Create, Enter, Fence in a
// life. Zones are versions: the machine knows how often one has changed, not where it is.
//
// # Guarantees
//
//   - OwnWords: the package imports the identities of package protocol, and no core. A mistake of a
//     core is not repeated here for being copied.
//   - EachClauseRefuses: for each clause a test has a step that the machine allows, and the same
//     step with one difference that this clause refuses.
//   - GrantedAlone: a node that decides for a change has the promises of all participants, none is
//     in a round of its own, and their zones are as the proposer has seen them. A test explores the
//     machine with two proposers, and with two rounds of one. Without any of six clauses it fails.
//   - EachActionIsTaken: models of the default run take each action, and each combination of
//     actions that the machine allows in one step.
//
// # Assumptions
//
//   - The machine may do less than nothing: a node may ignore any message. So a refinement shows no
//     liveness. Models check it on the core.
//   - The failure detector is not part of the machine: a node may find another failed at any time,
//     rightly or not.
package abstract
