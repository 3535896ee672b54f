// Package lease builds the closed systems in which package protocol/lease is model-checked: nodes
// that hold leases, witnesses, and nodes that ask, each with a driver around its core.
//
// # Usage
//
// Pass [Models] to the checker, or run "canvass check 'lease/*'". Package model/catalog joins all
// families. An [Agent] is the core with its driver; package sim/lease runs it, too.
//
// # Guarantees
//
// In every state:
//
//   - NoFalseDeath: an incarnation whose death is certified holds no lease.
//   - DeadStays: a witness that said that an incarnation is over never grants to it, nor says
//     otherwise.
//   - ClosedStays: a witness that closed a generation neither grants in it or an older one, nor
//     promises such a one.
//   - OneLife: no two processes at one address hold a lease.
//   - OneFounder: a generation has at most one founder.
//   - OneGeneration: no two nodes hold leases in different generations.
//   - EntersThroughMembers: a node enters through the founder, or a node that has entered before.
//   - Lives: no incarnation is fenced while a majority of witnesses runs (in models without
//     expiry).
//   - TimersKept, ListsKept, MessagesFit: rules for every step (package model/contract).
//
// In every quiescent state in which all witnesses run:
//
//   - Answered: no question is open.
//   - RoundsEnd: no round is open. In lease/three/outlive it suffices that a majority of witnesses
//     runs, for the nodes that have entered the grid.
//
// Under weak fairness: Mourned, an incarnation that is over and asked for is certified dead, if a
// majority of witnesses runs. Founds: from every state in which no node is in a grid and a majority
// of witnesses runs, a grid can be founded, unless the bounds of the model may be used up.
//
// # Assumptions
//
//   - Time is one inequality. A witness may end a grant once the holder has seen the expiry of its
//     round, or has cancelled it, or runs no more. A round that was sent before expires before. The
//     grace of a witness ends when this holds for all that its earlier incarnations granted. The
//     expiry of a lease may come at any time. lease/limit-drift is an expected failure.
//   - In a steady model no lease expires while a majority of witnesses runs.
//   - A node that crashes comes back, if it does, after its earlier incarnation has ended.
//   - A message for any incarnation reaches the incarnation that runs. The other messages reach
//     only the incarnation that they name. A message to a node that is down is lost.
//   - Rounds and generations are bounded; a verdict states the bounds.
//   - A message is resent when nothing to or from the node is in flight. Earlier is a premature
//     timeout, a fault of the spurious budget.
package lease
