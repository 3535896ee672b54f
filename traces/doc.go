// Package traces keeps runs of closed systems: it records them, writes and reads them as files,
// replays them on the real cores and shows them to people.
//
// A run is a list of actions. The actions are authoritative: they alone decide what happens. The
// states between them, which are kept too, are assertions that a replay recomputes and compares. So
// a trace is at once a counterexample, a regression test and a document that cannot go out of date
// unnoticed.
//
// # The file
//
// A trace is a file *.itf.json in the Informal Trace Format of Apalache's ADR-015, in UTF-8. All
// variables are strings. The action of a state is the one that led to it, in the variables
// "mbt::actionTaken" (its kind; "init" in the first state) and "mbt::nondetPicks" (a record of
// options: node, peer, text, data in hexadecimal, cost), as Quint writes them. "#meta.canvass"
// holds the [Header], and its version, which is [Version]. What a step made a node send and tell is
// in the "#meta.effects" of the state that it led to. If "loop" is there the run is a lasso: the
// last state is the same as the state of that index, and the run goes round from there for ever.
//
// # Guarantees
//
//   - Deterministic: [Write] gives the same bytes for the same trace, on every machine.
//   - Strict: [Read] accepts only what Write could have written, but for white space and the order
//     of fields. Anything else is a [FormatError] that names the place and the remedy. It reads at
//     most [MaxBytes] and never panics.
//   - Round trip: what Read accepts, Write writes such that Read gives the same trace.
//   - Faithful: [Replay] returns nil only if each recorded action was enabled where it was taken,
//     each variable had the recorded value after it, and the run shows what the header claims.
//   - Harmless: no text of a trace has a control character, so a trace from a stranger can be
//     printed on a terminal; and in a page no text is taken for markup or script.
//   - Alone: a page is one file that fetches nothing, and forbids itself to.
//
// # Assumptions, and what this package does not model
//
//   - A [Machine] is deterministic, and its one-line texts tell different states apart. A
//     difference that no text shows is not seen.
//   - Messages are followed by the effects "send A->B text" of steps and by the actions that
//     deliver, repeat or lose them. One that was not seen to be sent was on its way from the
//     beginning.
//   - An action is found again by its kind, node, peer and text. Its data and cost, and the effects
//     of a step, are there for readers and not compared.
//   - What a single run cannot show is not confirmed: that a loop is fair, that no other run would
//     reach the goal (shapes [Reaches] and [AlmostSurely]), that an end without actions is not an
//     accepted one (shape [DeadlockFree], unless the machine knows the property), that a trigger is
//     one.
//   - Apalache's own reader knows no variant types, so it does not read "mbt::nondetPicks". Quint
//     and the tools around it do.
//
// # What a caller does, in this order
//
//  1. [Record] a run, given as the indexes of its actions among the enabled ones.
//  2. [Write] it to a file; [Read] it back, elsewhere or later.
//  3. [Replay] it on a fresh Machine of the model that the header names. Whatever is shown of a
//     trace that was not replayed is only what its file says.
//  4. Show it: [WriteText]; [WriteHTML] with what [Page.Observe] saw of a [Drawer] while it was
//     replayed; for other programs [WriteMermaid], [WriteShiViz], [WritePerfetto], [WriteDOT].
//  5. [Follow] it on the Machine of another model, to see where the other one takes another course.
package traces
