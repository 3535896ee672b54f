// Package traces records runs of closed systems, writes and reads them as files, replays them on
// the real cores and shows them to readers.
//
// A run is a list of actions, which alone decide what happens. The states between them are recorded
// too, as assertions: a replay recomputes and compares them. So a trace is a counterexample, a
// regression test, and a document that cannot become outdated unnoticed.
//
// # The file
//
// A trace is a file *.itf.json in the Informal Trace Format of Apalache's ADR-015, in UTF-8. All
// variables are strings. The action of a state is the action that led to it, in the variables
// "mbt::actionTaken" (its kind; "init" in the first state) and "mbt::nondetPicks" (a record of
// options: node, peer, text, data in hexadecimal, cost), as Quint writes them. "#meta.canvass"
// holds the [Header] and its version, which is [Version]. The messages that a step sent and the
// events that it reported are in the "#meta.effects" of the state that it led to. If "loop" is
// there the run is a lasso: the last state equals the state of that index, and the run repeats from
// there forever.
//
// # Usage
//
//  1. [Record] a run, given as the indexes of its actions among the enabled ones.
//  2. [Write] it to a file; [Read] it back, elsewhere or later.
//  3. [Replay] it on a fresh Machine of the model that the header names. A view of a trace that was
//     not replayed shows only the contents of the file.
//  4. Show it: [WriteStory] and [WriteHTML] with what [Page.Observe] collected from a [Drawer]
//     during the replay; [WriteText] for readers who understand the states; for other programs
//     [WriteMermaid], [WriteShiViz], [WritePerfetto], [WriteDOT].
//  5. [Follow] it on the Machine of another model, to see where the other one differs.
//
// # Guarantees
//
//   - Deterministic: [Write] gives the same bytes for the same trace, on every machine.
//   - Strict: [Read] accepts only output of Write, except for white space and the order of fields.
//     Anything else is a [FormatError] that names the place and the remedy. Read reads at most
//     [MaxBytes] and never panics.
//   - Round trip: Write writes what Read accepts such that Read returns the same trace.
//   - Faithful: [Replay] returns nil only if each recorded action was enabled where it was taken,
//     each variable had the recorded value after it, and the run proves the claim of the header.
//   - Harmless: no text of a trace has a control character, so a stranger's trace can be printed on
//     a terminal. In a page no text is taken for markup or script.
//   - Self-contained: a page is one file that fetches nothing, and forbids itself to.
//
// # Assumptions
//
//   - A [Machine] is deterministic, and its one-line texts distinguish different states. Otherwise
//     a difference goes unnoticed.
//   - Messages are followed by the effects "send A->B text" of steps and by the actions that
//     deliver, duplicate or drop them. A message that no step sent was in flight from the
//     beginning.
//   - An action is identified by its kind, node, peer and text. Its data and cost, and the effects
//     of a step, are for readers and are not compared.
//   - A single run does not confirm everything: that a loop is fair, that no other run would reach
//     the goal (shapes [Reaches] and [AlmostSurely]), that an end without actions is not an
//     accepted one (shape [DeadlockFree], unless the machine evaluates the property), that a
//     trigger is one.
//   - Apalache's reader has no variant types, so it does not read "mbt::nondetPicks". Quint and its
//     tools do.
package traces
