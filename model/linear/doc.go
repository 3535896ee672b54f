// Package linear judges histories: lists of operations that clients called and of the answers that
// they got. A history is linearizable (Herlihy and Wing, 1990) if each operation can be given one
// moment between its call and its return so that a sequential specification, taken through the
// operations in that order, gives the very answers. Porcupine searches for such an order; the
// specifications are here.
//
// # Guarantees
//
//   - Holds: there is such an order. Violated: there is none. Inconclusive: the time limit came
//     first; that is no pass.
//   - Open: an operation whose answer was lost may have taken effect at any time since its call, or
//     never.
//   - The specifications say what they say and no more: [Register], [RegisterWithLoss] (a crash
//     makes each register that the node kept revert to 0 at most once), [Ownership] (a point has
//     one owner at most, and lookups find it), [Jobs] (a job is lost only with its owner and its
//     run node, runs again only after its run node failed, and is answered once).
//
// # Assumptions, and what is not modelled
//
// Times are in the order of events, of one clock. Two events of the same time count as concurrent,
// which can hide a violation and invents none. To decide is exponential in the number of operations
// that overlap: histories are divided by key, point or job, and specifications of things that span
// several of these do not belong here.
//
// # What a caller does
//
// Record a history, with a [Recorder] for package store or by hand, [Validate] it if it was made by
// hand, and [Spec.Check] it; after a violation, [Spec.Draw] writes a page that shows it, and
// [Spec.Text] tells a short one in a line. A client whose operation stays open must go on under
// another number. What happens of itself is recorded too: a crash as an open Lose of each key that
// was kept there, a node's gain or loss of a point as an Acquire or Release that returns when it is
// called.
package linear
