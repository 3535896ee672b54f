// Package report turns the rows of experiments into figures, pages and tables, and reads and writes
// the schedules of single runs.
//
// # Usage
//
// Read rows with package experiment. [Figures] draws them, by one of [Kinds]; [Page] is a page of
// named experiments with their verdicts; [Markdown] is the page of all reproductions. [ByCell],
// [Varying] and [Apart] group and name rows for a table, [Mean] is a cell of it, and
// [Baseline.Against] compares cells seed by seed. [RowTable] and [ExportJobs] write tables for
// other programs. [JobsWriter] writes the jobs of a run, and [ReadStarts] and [CompareStarts]
// compare two schedules of one workload.
//
// # Guarantees
//
//   - Repeatable: equal rows give equal figures, pages and tables, byte by byte.
//   - Sourced: the caption of a figure names the input and its digest, the settings that all rows
//     share, the seeds and the commit.
//   - Honest: a figure with fewer than ten seeds of a cell, where chance counts, is called
//     preliminary; a page of a part of the runs is called partial. A row that is run again for a
//     figure of jobs and gives another result is an error.
//
// # Assumptions
//
//   - The rows come from [lab.Rows], each run once. A run that occurs twice counts twice.
//   - A file of jobs is in the Standard Workload Format, or has the columns that [JobsWriter]
//     writes. Other content is an error that names the line.
package report
