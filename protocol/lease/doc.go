// Package lease decides which incarnations of nodes are over. Each node is a holder. It renews a
// lease with a majority of 1, 3 or 5 witnesses, and ends its incarnation when it cannot. Some of
// the nodes are the witnesses. A majority of witnesses certifies the death of an incarnation, and
// never takes that back. They also decide which node founds the grid, and name a member through
// which the others can enter it.
//
//	holder.go   rounds of renewals, expiry, refusals
//	found.go    a node without a lease: it looks, asks for promises, joins
//	ask.go      questions for other lives, death certificates
//	witness.go  grants, promises and verdicts of a witness
//	timer.go    the timers and their durations
//
// Holder and witness are types with their own handlers, and step.go passes each input to one of
// them.
//
// docs/protocols/lease.md explains rounds, generations and the argument about time with examples.
//
// # Usage
//
// A driver runs one instance a node, beside the other cores of the node.
//
//  1. Make a state with [New], and begin the incarnation with Start or Restart. The core persists
//     its identity and the durable part of the witness. A Restart that the core ignores is final.
//  2. Answer Choose with a random number: the nonce of the incarnation.
//  3. Send envelopes as they are addressed. An incarnation of 0 stands for the running incarnation
//     at the address. Any incarnation may receive such a message: a witness persists the facts that
//     matter across restarts, and after a restart it keeps its grace. A node sends nothing to
//     itself.
//  4. Upon EventFounded create the grid. Upon EventLeased enter it through Peer. [State.Contact]
//     names a member that held a grant at the last round, for further tries. Give CommandEntered
//     once the node is in the grid. An incarnation with a lease that finds no member left before it
//     has entered is fenced: its lease would keep others from founding.
//  5. Upon EventFenced end the incarnation at once, with all that it runs, within KillTicks. Upon
//     EventIdentity do the same, and do not restart: the data directory was copied or rolled back.
//  6. Give CommandAsk when another layer suspects an incarnation. EventDead is the certificate.
//     After EventAlive ask again later. Both may come in the same step as the command. To ask again
//     while the question is open, [State.IsAsking], sends it again to witnesses that said alive.
//  7. Give CommandRegrid at a majority of witnesses to end the present grid: its members are
//     fenced, and a node founds the next generation.
//
// Timers may be late, except for those of expiry: they count from the step that sets them, by a
// clock that runs during a suspend, and the driver looks at them before any other input.
//
// # Guarantees
//
// The models of package model/lease check these properties within the bounds and fault budgets
// that each verdict states. In every state:
//
//   - NoFalseDeath: an incarnation whose death is certified holds no lease.
//   - DeadStays: a witness that condemned an incarnation neither grants to it nor says that it is
//     alive.
//   - ClosedStays: a witness that closed a generation neither grants in it or an older one, nor
//     promises such a one. So no round of a generation is granted that a majority closed.
//   - OneLife: of the processes with the same identity, at most one holds a lease.
//   - OneFounder: a generation has at most one founder.
//   - OneGeneration: no two incarnations hold leases in different generations.
//
// # Assumptions
//
//   - The time from the first Renew of a round to the end of its holder's incarnation, ExpireTicks
//     and KillTicks by the holder's clock, is at most GrantTicks by the clock of any witness.
//     Otherwise a running incarnation is certified dead.
//   - A later incarnation at an address begins after the former one has ended.
//   - Persisted bytes survive a crash. A witness that loses it must not run again under its
//     address.
//   - Messages may be dropped, duplicated, delayed and reordered, but are not forged.
package lease
