// Package experiment runs scheduling policies on workloads, one cell after the other, and judges
// claims about the results.
//
// A [Cell] is one way to run a workload: every setting that can change a result. A cell with a seed
// is a [Run], and its result is a [Row]. An [Experiment] has a name, cells, and claims with the
// values that their sources publish.
//
// # Usage
//
//  1. Describe cells: fill in a [Cell], or give settings by name with [Cell.Set]. [Product] makes
//     all combinations of values.
//  2. Open the file of rows with [OpenRows], or keep rows in memory with [NoRows].
//  3. Run a [Campaign]. Rows are written as their runs end; runs whose rows are there are left out.
//  4. Judge the rows with [Experiment.Judge].
//
// # Guarantees
//
//   - Repeatable: equal settings and seeds give equal rows, on every machine and with any number of
//     workers. Time and memory are the only fields that differ.
//   - Kept: an interrupt or the death of the process loses no run that has ended.
//   - Honest: a claim about chance is undetermined with fewer than ten seeds, and so is a claim
//     whose runs are not there. Nothing is tuned: deviations are shown as such.
//
// # Assumptions
//
//   - A log does not change while a campaign runs. It is read once and kept in memory. Its digest
//     stands in each row, so that rows of another version can be distinguished.
//   - The rows of one folder come from one version of the program. [Merge] refuses two rows of one
//     run that differ.
package experiment
