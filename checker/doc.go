// Package checker decides properties of finite transition systems by looking at every state.
//
// It knows no protocol. Whoever has a [Model], a set of initial states and a function that lists the
// successors of a state, calls [Check] and gets a [Report]: for each property a [Verdict] and, if it is
// violated, a shortest [Path] that shows it. [Of] makes a Model of plain Go values and functions; the
// example does so in a few lines. Models that want speed intern the components of their states in an
// [Interner], remember what they have computed in a [Memo], and hand vectors of ids to the engine.
//
// # What is decided
//
// Six shapes of properties, and absence of deadlock, which is checked of every model:
//
//   - [Always]: an invariant of every state.
//   - [Sometimes]: a witness exists. A model in which nothing happens violates its witnesses.
//   - [Quiescent]: an invariant of the states at rest.
//   - [LeadsTo]: on every weakly fair run, each trigger is followed by a goal.
//   - [Reaches]: from every trigger, some path leads to a goal.
//   - [AlmostSurely]: if actions are drawn at random, each trigger is followed by a goal with
//     probability 1.
//   - [DeadlockFree]: every state without successors is an accepted end.
//
// # Guarantees
//
//   - Exact: states are compared word by word. Hashing decides where a state is stored, never whether
//     two states are the same, so no state is lost to a collision.
//   - Honest: Holds is said only when every reachable state has been found and expanded (or, of
//     Sometimes, when a witness has been found). Whatever an early end left undecided is Inconclusive,
//     and the report says why the end was early. An unknown is never a pass.
//   - Shortest: no path to a violation of Always, Quiescent or DeadlockFree, or to a witness, has fewer
//     steps than the one reported. For LeadsTo the part before the loop, or the whole of a finite path,
//     is shortest; for Reaches and AlmostSurely the path to the state from which no goal can be reached.
//     The loop itself is kept short, but need not be the shortest that is fair.
//   - Repeatable: verdicts, counts, depth and paths (their actions and what their states mean) are the
//     same in every run with any number of workers, except where memory, time or an interrupt ends the
//     check early.
//   - Exact on cycles: LeadsTo is decided on the strongly connected components of the states with an
//     open obligation. Paths that join states visited before, and cycles, are no blind spots.
//   - Replayable: each step of a path is a transition of the model, named by its place in the Expand
//     order, and a loop closes.
//
// # Fairness
//
// A run is weakly fair to a class if it is not the case that, from some point on, an action of the class
// is enabled in every state and none is taken. A successor equal to the state it came from is an action
// like any other: it is enabled, and going round it is taking it. Only classes marked Fair are asked
// about, and only LeadsTo asks. A run that ends is fair.
//
// # Assumptions
//
//   - The model is finite, or bounded by the options. A state is its vector: nothing outside it matters.
//   - The methods of a [Worker] are functions of the meaning of a state. Caches are welcome; clocks,
//     random numbers and effects are not.
//   - Expand lists successors in an order that depends only on the meaning of the state. Interned ids
//     may differ from run to run, so an order by id is no such order, and neither is that of a map. The
//     engine cannot tell; a model should be tested for it by checking twice, with fresh interners.
//   - Successors that appear or vanish when a state is expanded again are noticed only where the engine
//     does expand again, for paths and for liveness. It then returns a [ContractError].
//   - Limits count the tables of the engine and what a [MemoryReporter] admits to, not the garbage of
//     the runtime.
//
// # What a caller does, in this order
//
//  1. Describe the model, with at least one Sometimes that fails if nothing happens.
//  2. Call [Check] with a context that ends when the patience does.
//  3. If there is an error, mend the model: a [PanicError] has the path to the state that broke it.
//  4. Look at [Report.Verdict], and at Stopped if it is Inconclusive.
//  5. Look at the Cases of each outcome and at ClassCounts: a property without cases holds vacuously,
//     and a class without transitions never happened.
//
// # How
//
// The search is breadth first and goes level by level, in rounds whose four parallel phases need no
// locks; round.go tells how the result comes to be independent of who does what. A state costs four
// bytes for each of its words, four for its parent and from 11 to 22 for its slot in the visited set.
// Liveness builds the graph of all states, at six bytes a transition, and some 40 more a state.
package checker
