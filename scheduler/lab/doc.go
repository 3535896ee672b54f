// Package lab runs schedulers on workloads, one cell after the other, and keeps a row of each run.
//
// A [Cell] is one way to run a workload: every setting that can change a result, as text. A cell
// with a seed is a [Run], and its result is a [Row]. A scheduler is a scheduler.System: it has
// policies, settings that no other scheduler has, and an engine.
//
//	settings.go  a cell's texts, each read once into types
//	lab.go       one run: read the settings, make jobs, platform and ground, run, measure
//	systems.go   the table of systems, and the settings that all share
//
// # Usage
//
//  1. Describe cells: use [MustCell], or give settings by name with [Cell.Set]. [Product] makes all
//     combinations of values.
//  2. Open the file of rows with [OpenRows], or keep rows in memory with [NoRows].
//  3. Run a [Campaign]. Rows are written as their runs end; runs whose rows are there are left out.
//
// To add a scheduler, implement System in a new folder and name it in the table of systems. Systems
// that run message by message are passed in: see [Lab.Cores].
//
// # Guarantees
//
//   - Repeatable: equal settings and seeds give equal rows, on every machine and with any number of
//     workers. Time and memory are the only fields that differ.
//   - Kept: an interrupt or the death of the process loses no run that has ended.
//
// # Assumptions
//
//   - A log does not change while a campaign runs. It is read once and kept in memory. Its digest
//     stands in each row, so that rows of another version can be distinguished.
//   - The rows of one folder come from one version of the program. [Merge] refuses two rows of one
//     run that differ.
package lab
