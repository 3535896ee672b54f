// Package cli holds what all commands of the program share: exit codes, results as text or JSON,
// messages, progress, tables, help, JUnit reports, and the guard that keeps a command from writing
// onto what it reads.
//
// # Usage
//
// The program makes an [Output] and [Messages] and passes them to its commands. It ends with the
// code that [Exit] returns for the error of the command:
//
//	out, messages := cli.NewOutput(os.Stdout), cli.NewMessages(os.Stderr)
//	os.Exit(cli.Exit(root.Execute(), out, messages))
//
// A command adds the flag --json with [Output.JSONFlag], and writes each result with [Output.Print]
// or [PrintAll], which choose the form. Texts go through Printf, which makes its arguments
// harmless, and rows through Table. Bytes that are not ours, such as the output of a job, go to
// Raw. A command that runs for long ends when the channel of [Output.Failed] is closed, or with the
// context of [Interruptible]. It shows a [Progress].
//
// A mistake on the command line is an error of [Usagef]. A command names every file and stream to a
// [Guard] before it opens it: first all outputs, with [ReadyFile] or [Guard.Writes], then each
// input, even if that is late: nothing has been written until then.
//
// # Guarantees
//
//   - No silent loss: a command whose output could not be written ends with 1 and a message that
//     names the error, and with 141 if the reader of a pipe has gone. See [Exit].
//   - Harmless: no control character reaches a terminal, unless it was written to Raw. Those in
//     arguments of Printf and in cells of tables, line ends among them, are escaped by [Escape].
//   - Fitting: on a terminal no row of a table is wider than the terminal. Elsewhere all cells are
//     whole.
//   - Nothing read is overwritten: a guard recognises two names of one file: relative and absolute
//     paths, symbolic links (also broken ones), hard links, and files behind standard input and
//     output. Pipes and devices never clash, so that /dev/null may stand for several outputs, and
//     any number of inputs may be the same file.
//
// # Assumptions
//
//   - The program has asked for SIGPIPE (signal.Notify); otherwise a closed pipe ends it at once.
//   - A character takes one column.
//   - Nothing renames files between the call of a guard and the writing; otherwise a clash is
//     missed.
package cli
