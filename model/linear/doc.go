// Package linear checks histories: lists of operations that clients called, with their answers. A
// history is linearizable (Herlihy and Wing, 1990) if each operation can be given one moment
// between its call and its return so that a sequential specification, applied in the order of these
// moments, gives the same answers. Porcupine searches for such an order. This package holds the
// specifications.
//
// # Usage
//
//  1. Record a history, for example with the Recorder of package model/store. A client whose
//     operation stays open must continue under another number.
//  2. Record the effects of failures as operations too: a crash as an open Lose of each key that
//     the node stored, a change of owner as an Acquire or Release that returns when it is called.
//  3. [Spec.Validate] a history that was made by hand, and [Spec.Check] it.
//  4. After a violation, [Spec.Draw] writes a page that shows it, and [Spec.Text] describes a short
//     history in one line.
//
// # Guarantees
//
//   - Holds: such an order exists. Violated: none exists. Inconclusive: the time limit ended the
//     search, which is not a pass.
//   - Open: an operation without an answer may have taken effect at any time since its call, or
//     never.
//   - [Register]: registers lose nothing.
//   - [RegisterWithLoss]: a crash makes each register that the node stored revert to 0 at most
//     once.
//   - [Ownership]: a point has at most one owner, and lookups find it.
//   - [Jobs]: a job is lost only with both its owner and its run node, runs again only after its
//     run node failed, and returns its result once.
//
// # Assumptions
//
// Times come from one clock, in the order of events. Two events with the same time count as
// concurrent; this may hide a violation and never invents one.
//
// The search is exponential in the number of overlapping operations. Histories are therefore
// divided by key, point or job, and a specification that spans several of these does not belong
// here.
package linear
