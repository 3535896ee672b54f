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
//     whose runs are not there. Nothing is tuned: deviations are shown as such.
//   - From rows alone: a verdict needs no log and no run.
//
// # Assumptions
//
//   - The rows were made by package lab. Rows of other experiments may be among them: they are left
//     out.
package experiment
