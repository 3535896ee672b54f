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
//   - [LeadsTo]: on every fair run, each trigger is followed by a goal.
//   - [Reaches]: from every trigger, some path leads to a goal.
//   - [AlmostSurely]: if actions are drawn at random, each trigger is followed by a goal with
//     probability 1.
//   - [DeadlockFree]: every state without successors is an accepted end.
//
// # Guarantees
//
//   - Exact, unless [Options.Storage] says otherwise: different states have different keys in the visited
//     set, always, so no state is lost to a collision.
//   - Honest: Holds is said only when every reachable state has been found and expanded (or, of
//     Sometimes, when a witness has been found). Whatever an early end left undecided is Inconclusive,
//     and the report says why the end was early. An unknown is never a pass. A storage that may lose states
//     says so in the report, with the odds; one that does lose states decides nothing but what it has found.
//   - Shortest, unless [Options.Order] says otherwise: no path to a violation of Always, Quiescent or DeadlockFree, or to a witness, has fewer
//     steps than the one reported. For LeadsTo the part before the loop, or the whole of a finite path,
//     is shortest; for Reaches and AlmostSurely the path to the state from which no goal can be reached.
//     The loop itself is kept short, but need not be the shortest that is fair.
//   - Repeatable: verdicts, counts, depth and paths (their actions and what their states mean) are the
//     same in every run with any number of workers, except where memory, time or an interrupt ends the
//     check early. (Two more exceptions: where ids differ from run to run, so do the states that a storage
//     which is not exact may lose; and the Cases of a property that is violated depend on MemoryLimitBytes.)
//   - Exact on cycles: LeadsTo is decided on the strongly connected components of the states with an
//     open obligation, and with strong fairness on the components of parts of them. Paths that join states
//     visited before, and cycles, are no blind spots.
//   - Replayable: each step of a path is a transition of the model, named by its place in the Expand
//     order, and a loop closes.
//
// # Fairness
//
// A run is weakly fair to a class if it is not the case that, from some point on, an action of the class
// is enabled in every state and none is taken. A successor equal to the state it came from is an action
// like any other: it is enabled, and going round it is taking it. A run is strongly fair to a class if it is not the
// case that an action of the class is enabled in infinitely many of its states and taken only finitely often.
// A run that ends is fair in both ways. It ends where nothing is enabled, or nothing but classes marked Finite: no run
// takes one of those for ever, and none can be counted on.
//
// So runs go on as long as they can: a class that is not Fair may be passed over for others, but a run does not stand still where it is all
// that is enabled, as a specification in TLA without WF may. Where standing still is meant, mark the class Finite, or add an action of a class
// of its own that leads back to the state. An action that changes nothing counts as taken; one that is not to count belongs to a class that is
// not fair.
//
// "Again and again P" is a LeadsTo with Triggers always true and the goal P; "P, once" one whose Triggers hold in the initial states alone.
//
// Only classes marked Fair (weakly fair) or Strong (strongly fair) are asked about, and only LeadsTo asks. A
// component of open states where a strong class is enabled and never taken is decomposed again without the states
// where it is, so what is found is fair, and whatever is fair is found (refine.go).
//
// # Assumptions
//
//   - The model is finite, or bounded by the options. A state is its vector: nothing outside it matters.
//   - The methods of a [Worker] are functions of the meaning of a state. Caches are welcome; clocks,
//     random numbers and effects are not.
//   - Expand lists successors in an order that depends only on the meaning of the state. Interned ids
//     may differ from run to run, so an order by id is no such order, and neither is that of a map. The
//     engine cannot tell; a model should be tested for it by checking twice, with fresh interners. Models made by [Of], and systems of
//     package model, are tried as the check goes: the first expansions of each worker, or steps, are made twice, and whether what is given
//     is left as it was is looked at each time. Where the first of them come to a state that has the encoding of another and is not the same
//     value, both are asked what follows from them: an encoding that leaves out what matters is told, though not always.
//   - Other successors when a state is expanded again are noticed only where the engine does expand again, and not all of them: on
//     paths those that vanish, for liveness those that nobody has met before, and, without reductions, if the number of transitions of a
//     class is another one. It then returns a [ContractError].
//   - Limits count the tables of the engine and what a [MemoryReporter] admits to, not the garbage of
//     the runtime, which comes to some 30 MB in a check of ten million states, nor the page cache of the
//     system.
//   - The folder for temporary files has room. If it has not, states stay in memory. What was written is read
//     back whole; if it cannot be, Check returns an error.
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
// # Storage
//
// What there is to choose in [Options.Storage]:
//
//   - [Exact] keeps 64 or 128 bits a state. If the words of a state fit side by side into 63 bits, with as many bits
//     each as their values have needed so far, they are the key. So they are if they fit once those that take few values
//     together are one number, from a table. If each half of the words fits, two numbers are the key. If not, they are folded: words are grouped
//     into numbers of 32 bits, these are paired, each distinct pair is given a number of its own, and so on
//     until one pair is left, which is the key. Keys are made anew, from the states on disk, when a
//     word outgrows its bits.
//   - [Fingerprint64] keeps 64 bits of a hash value. Nothing is folded, which is faster where words are many,
//     and there are no numbers of pairs to keep. n states have n(n-1)/2 pairs, each of which shares a
//     value with odds of 2^-64 for every two words: 3e-6 for ten million states of two words, 0.1 for two
//     thousand million. If no two states
//     of a model share a value, none is lost; the bound in the report is that for as many states as were
//     found. Try another [Options.HashSeed] to make sure.
//   - [Fingerprint128] keeps 128 bits, for twice the memory and odds below 1e-18 for any number of states that
//     fits a machine.
//   - [Bitstate] keeps four bits a state in a set of fixed size, for models that fit in no other way. It finds
//     violations and witnesses. It can prove nothing: whatever needs all states is Inconclusive, and the check
//     is StoppedByOmission.
//
// LeadsTo, Reaches and AlmostSurely need the graph of all states and therefore Exact; with other storages a
// model that has such a property is refused, by name.
//
// # Reductions
//
// Nothing is left out unless [Options.Reduce] is set and the model says what makes no difference:
//
//   - Confluence: a worker that is [Confluent] names actions that may be taken at once, before all others. What
//     is left is branching bisimilar to the whole, so all shapes keep their verdicts; LeadsTo, which asks about
//     fairness too, asks one thing more of such actions. With strong fairness it is declined.
//   - Symmetry: a worker that is [Symmetric] turns a state into the one that stands for its orbit. Orbits are
//     explored, paths are runs of the model. It is declined for a model with a LeadsTo, since fairness tells
//     parts apart.
//
// What was declined, and why, is in [Report.Declined]. A worker that says something wrong makes verdicts wrong: test
// it by checking small bounds with and without, and by a bisimulation, as package model/can does. Systems of package model
// declare interchangeable nodes (System.Symmetry) and confluent deliveries (System.Confluent), and are tried as the check goes.
//
// # Order
//
// What there is to choose in [Options.Order]: [BreadthFirst], which looks at everything and which all that is said
// above is about; [DepthFirst] and [IterativeBound], which look at everything too and come deep sooner, but whose paths are
// not shortest; and [RandomWalk] and [PCT], for models of which not everything can be looked at. Their walks keep
// no states. A violation or a witness that they find is real, and its path is replayable and passes no state
// twice, but is seldom shortest. They prove nothing: what they do not find is Inconclusive, and the check is
// StoppedBySampling. Walk i is drawn with the seed [Options.WalkSeed] + i, and of all walks that violate a property
// the first is shown, so the report depends on the seed and not on the number of workers.
//
// A [Swarm] is many small searches of all kinds with different seeds, each of which sees another part of a model too
// large to be searched. It can be divided among machines; [Merge] sums up the reports. It proves as little.
//
// # Checkpoints
//
// With [Options.Checkpoint] the search is written to a file every minute, and when it ends early. With
// [Options.Resume] it goes on from there, and ends with the report that a search without interruption would
// have ended with. It is a file of states: the visited set follows from them. States are vectors of ids, so
// a model must put its interners back as they were: see [Snapshotter], [Interner.Snapshot] and Spec.Decode.
// A model that does not is refused. So is a checkpoint of another model: by its name, width, properties and
// classes, by its initial states, and by the steps from some of its states.
//
// # How
//
// The search is breadth first and goes level by level, in rounds whose parallel phases need no locks;
// round.go tells how the result comes to be independent of who does what. Most successors were found a
// short while before, and a small cache of each worker knows them (recent.go). The others are looked up in a
// hash table of keys, which grows by a half at a time, in place (grow.go). The place of a slot tells the first bits of its key,
// and keys have no more bits than the words of the states need, so a slot of a large table takes from four to seven bytes,
// and a state from 5 to 12.5 (shard.go). The states themselves are wanted once more, when it is their turn to be expanded: they
// are packed and go to disk (store.go), as do their parents, a byte or so each. So, with all buffers, a
// state takes less than 16 bytes of memory once there are some millions. Liveness builds the graph of all
// states, in memory, at six bytes a transition, and some 45 more a state.
package checker
