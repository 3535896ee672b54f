// Package store builds the closed systems in which package protocol/store is model-checked: small
// maps on which zones split and merge and nodes crash, while clients use the keys that change
// hands.
//
// # Usage
//
// Pass [Models] to the checker, or run "canvass check 'store/*'". Package model/catalog joins all
// families. A system that is not in the catalogue is described by a [Setting] and built by its
// Compile. A [Recorder] records the histories of another driver.
//
// # Guarantees
//
// In every state:
//
//   - Linearizable: the history so far, with its open operations, is linearizable for registers
//     (linear.Register). Where a node may crash, a register may revert to 0 once for each crash of
//     a node that stored the item, was about to receive it, or was given it before other nodes
//     noticed the crash (linear.RegisterWithLoss). Each history is checked once, however many
//     states share it.
//   - OneServer: no two nodes serve the same key.
//   - OneOwner: a point that is looked up has at most one owner at any time. A lookup finds a node
//     that was the owner at some time between call and return.
//   - ItemsInside: no node stores an item outside its zone.
//   - AwaitsNeeded: a node awaits items only for its zone and for items that it must hand over.
//   - ListsKept: the lists of a node are sorted, and nothing is there twice.
//   - TimersKept: a node has exactly the pending timers that it waits for.
//   - Bounded: no node is beyond a limit of its configuration.
//   - Certain (without crashes and suspicions): every operation that ends was answered or rejected.
//
// In every quiescent state, Ended: no operation is pending and no item is in handover. In the end,
// under weak fairness, Answered: every operation ends; this is checked in the smaller systems.
//
// The witnesses Moves, Refuses, Mismatches, Reverts, Uncertain, Rejects and FindsBoth must each
// happen in some run of a scenario that is meant to show them. So no model passes because nothing
// happens in it.
//
// # Assumptions
//
// Timers (due.go) fire as follows. Everything earlier is a premature timeout, a fault of the
// spurious budget.
//
//   - The timers of the map fire as in package model/can.
//   - A GoneTimer fires when that incarnation of the peer no longer runs. For a live peer of which
//     only an answer is awaited it costs the spurious budget; otherwise it costs the suspect
//     budget.
//   - Operations are retried when nothing is in flight, no node is in a round or hands items over,
//     and some node serves the key: the delay is drawn from a range that is long compared with
//     these.
//
// Operations are called at any time, those of one node in their order. They may overlap: two
// operations of one node are those of two clients.
//
// The monitor keeps histories in a normal form: consecutive calls are sorted, and so are
// consecutive returns, since their order changes no verdict.
//
// store/row3/limit-crash is an expected failure: it checks a crash against the strict registers.
//
// The maps (layout.go): row2 and row3 are zones in a row; tee has a zone with two takers.
package store
