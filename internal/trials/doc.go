// Package trials is the harness of the programs that try real daemons: accept, which tries the
// promises to users one by one, and nemesis, which breaks daemons at random. Program bench measures
// daemons with it.
//
// # Usage
//
//  1. Start main with [IsTask]: the program also stands in for the jobs of its trials.
//  2. Call [Try] with the steps of a trial, or [NewBed] for a folder without them.
//  3. Within a trial, [Trial.Grid] starts daemons, [Trial.Sh] and [Grid.Sh] run commands, and
//     [Trial.Demand] ends the trial.
//  4. Submit [Bed.Beats] or [Bed.Job], whose tasks record when they ran, and read the record with
//     [ReadLedger].
//
// # Guarantees
//
//   - Outside: the ledger is a file outside of the grid, in which only tasks write.
//   - Own programs: a bed runs copies of both programs, so that [InFolder] finds every process that
//     is left.
//   - Clean: a trial leaves no process and no file behind, even if it fails.
//
// # Assumptions
//
//   - The machine is Linux. All processes share CLOCK_BOOTTIME.
//   - The folder for temporary files has a short name, since names of sockets are short.
package trials
