// Package store holds the closed systems in which package protocol/store is checked: small maps on
// which zones split and merge and nodes fail while clients use the keys that change hands.
//
// # Guarantees
//
// What the properties mean. In every state:
//
//   - Linearizable: the history so far, with what is called and not answered, is one of registers
//     that take one operation at a time; where a node may crash, of registers that revert to 0 at
//     most once after a crash of a node that kept the item, was to get it, or is given it before
//     anybody has noticed (package model/linear: Register, RegisterWithLoss). A history is judged
//     once, however many states share it.
//   - OneServer: no key in use is served by two nodes.
//   - OneOwner: a point that is looked up has at most one owner at any time, and who is found was
//     its owner at some time between the call and the return of the lookup.
//   - ItemsInside: no node holds an item outside its zone.
//   - Certain: every operation that ends was answered or rejected, where nobody crashes or is taken
//     for gone.
//
// At rest, Ended: no operation is pending, nothing is awaited, and nothing is left to be handed
// over. In the end, under weak fairness, Answered: every operation ends; checked in the smaller
// systems.
//
// Witnesses, so that no model passes because nothing happens in it: Moves, Refuses, Mismatches,
// Reverts, Uncertain, Rejects, FindsBoth, each where the scenario is to bring it about.
//
// # Assumptions, and what is not modelled
//
// Timers fire (due.go) as in the models of the map; a GoneTimer if the very incarnation is no
// longer running (about a node that runs it costs the spurious budget if only an answer is awaited
// of it, else the suspect budget); a retry of operations when nothing is in flight, nobody is in a
// round or hands items over, and the key is served by somebody, since its delay is drawn from a
// range that is long against all these. Everything earlier is a fault and costs the spurious
// budget. Operations are called at any time, those of one node in turn, and may overlap: two
// operations of a node are those of two clients.
//
// The monitor keeps the history in a normal form: calls that follow each other are sorted, and so
// are returns, since their order changes no verdict.
//
// The maps (layout.go): row2 and row3 are zones in a row, tee has a zone with two takers.
//
// # What a caller does
//
// [Models] lists the systems; package model/catalog joins them with the others for the command
// line. Further ones are described by a [Setting] and made by its Compile.
package store
