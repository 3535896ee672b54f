// Package experiment has the named experiments: cells of package lab, with claims about the results
// and the values that their sources publish.
//
// # Usage
//
//  1. Choose experiments with [Choose], or take [All].
//  2. Run the cells of [Experiment.Runs] as a campaign of package lab.
//  3. Judge the rows with [Experiment.Judge].
//
// # Guarantees
//
//   - Honest: a claim about chance is undetermined with fewer than ten seeds, and so is a claim
//     whose runs are missing. Nothing is tuned: deviations are shown as such. A claim that could
//     not fail has the verdict [CannotTell].
//   - As published: the verdict of record is about [Claim.Relation], which the source states in
//     [Claim.Published]. A band of our own is judged beside it and decides nothing.
//   - Complete: each judgement has the estimates on which it rests, and names the draws that their
//     intervals are over ([lab.OverOf]). Equal runs count as one run.
//   - From rows alone: a verdict needs no log and no run.
//
// # A claim
//
// A [Metric] takes numbers from the rows of each seed: one, two that are compared, or more along a
// setting. The [Estimator] turns them into an estimate with a 95 % interval, or if it compares
// them, into one for each pair of neighbours. The [Relation] says which estimates confirm the
// claim.
//
// # Assumptions
//
//   - The rows were made by package lab. Rows of other experiments may be among them: they are left
//     out.
package experiment
