// Package model implements closed systems that run a protocol core: nodes, a network, faults, and
// the properties that must hold. Package checker explores such a system, and package traces replays
// its runs.
//
// # Usage
//
//  1. Write a core (package protocol). For a first draft, [Plain] makes one of a step function on
//     plain values.
//  2. Describe a [System]: its nodes with their commands, the network, a fault [Budget], the rules
//     about time, and the properties.
//  3. [System.Compile] it. That returns a [Checkable].
//  4. Pass Checkable.Model to checker.Check, and Checkable.Machine to package traces. Both have the
//     same actions in the same order. [Trace] makes a trace of a counterexample.
//
// The canvass command does the last step for all models of package model/catalog.
//
// # Guarantees
//
//   - SameCode: the check runs the core's own Step on the core's own states. Nothing is abstracted.
//   - EachStepOnce: a step is computed once for each distinct pair of a node's state and an input.
//     Everything else is table look-ups on interned components. This is sound because Step is a
//     pure function, which a check tests: every step for changes to the state that it was given,
//     and the first steps and one in 16 later ones for equal results the second time.
//   - CachedPredicates: a predicate that does not look at messages in flight is not evaluated again
//     in states that differ in messages alone. This is sound because a predicate is a function of
//     the GlobalState.
//   - AllOrders: on an unordered network every message in flight can be the next to arrive. On a
//     FIFO network every channel can be the next to deliver its first message.
//   - BudgetedFaults: drops, duplicates, premature timeouts, crashes, restarts and false suspicions
//     happen in all possible places, as often as the budget allows and no more.
//   - UnboundedDuplication: under Budget.Repeat a message that has arrived can arrive again at any
//     later time, any number of times, as long as its receiver is up. No fairness forces it to.
//     Equal messages in flight are one message then, which keeps the number of states finite.
//   - AdversarialDelivery: under Budget.Adversarial every message that was ever sent can arrive at
//     any later time, any number of times, at any later incarnation of its address, dropped or not.
//     Under Budget.Late that number of messages do.
//   - Reproducible: the actions of a state and their order depend on the meaning of the state
//     alone. So a trace is a list of indexes, and of texts that people can read.
//
// # Assumptions
//
//   - A run begins when all nodes have started, or after the prelude if there is one. The messages
//     and events of their start are part of it.
//   - Time is not modelled. A timer fires when System.Due says that the awaited message can no
//     longer arrive, and otherwise only as a fault, a premature timeout. If Due says so too early,
//     verdicts are about a network that is faster than the real one.
//   - A measurement ends at any time while the measured node is up, with one of the latencies that
//     the system lists.
//   - A message to a node that is down, has ended or has another incarnation vanishes, unless
//     delivery is adversarial.
//   - A step's writes, sends and events are atomic with respect to crashes: a crash happens between
//     two steps.
//   - Messages are not forged. A core that sends in another node's name ends the check.
//   - A message that its receiver ignores is consumed, unless System.KeepIgnored is set.
//
// # Fairness and quiescence
//
// The classes of a model's actions (checker.Class) are the kinds of actions at each node:
// deliver@B, timeout@A. Deliveries, timeouts, choices and measurements are weakly fair: no run puts
// them off forever while some action of the class is always enabled. This holds for each node, not
// for each message: a node that always has messages receives some of them, and one message may wait
// forever behind others. A property that needs every message to arrive asks for AlmostSurely
// instead of LeadsTo. Commands, faults and repeated messages are Finite: a run may end without
// them.
//
// So no class is without a mark, and no LeadsTo of a system rests on a class that is forced only
// because nothing else is left (checker.Outcome.Forced). If an application may stop acting, make
// its acts commands, not timers. [System.Optional] names fair classes that nothing forces in
// reality: then a run may stop where nothing else is enabled. A trace of such a run ends there.
//
// A state is quiescent, for properties of that shape, when nothing is in flight and no fair action
// is enabled. Commands may still come. A pending action counts even if it is Optional.
//
// # Encodings
//
// Each state, message or command that a check meets for the first time is encoded, decoded and
// compared. A step that leads to a known encoding must lead to the known value. An error names the
// type and the field that an encoding forgets: "peer.Job.Hops: 2 was encoded, 0 was decoded".
//
// Decoders are also tried with bytes that no run has: truncations of some encodings, a byte more,
// other bytes, lengths of lists without the items, and made-up encodings of each tag. A decoder
// must refuse them with protocol.ErrEncoding, or accept a value whose encoding they are. It must
// not panic, nor take much memory.
//
// # Reductions and coverage
//
// A system may name confluent deliveries ([System.Confluent]). A check with reductions takes them
// first, each only after it was seen to commute with all that its receiver could do instead. A
// system may also say which nodes are interchangeable ([System.Symmetry]). Such a check explores
// one state of each orbit and tests the claim as it goes. If a property or the budget does not
// allow a reduction, the report says so.
//
// The models are [Coverer]s: they report the events of a check, and the possible events that never
// happened. A check of them can be checkpointed. A machine draws its nodes and messages for pages
// about a run (traces.Drawer). [System.Draw] adds a map and remarks, and [Info.Words] explains the
// words of the texts.
package model
