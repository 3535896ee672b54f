// Package cli holds what all commands of the program share: exit codes, the ways to the standard
// output and to the standard error, tables, and the end of a command.
//
// # Usage
//
// The program makes an [Output] and [Messages] and passes them to its commands. It ends with the
// code that [Exit] returns for the error of the command:
//
//	out, messages := cli.NewOutput(os.Stdout), cli.NewMessages(os.Stderr)
//	os.Exit(cli.Exit(root.Execute(), out, messages))
//
// Texts go through Printf, which makes its arguments harmless, rows through Table, values through
// JSON. Bytes that are not ours, such as the output of a job, go to Raw. A command that runs for
// long ends when the channel of [Output.Failed] is closed. [CompleteWords] completes the values of
// a flag.
//
// # Guarantees
//
//   - No silent loss: a command whose output could not be written ends with 1 and a message that
//     names the error, and with 141 if the reader of a pipe has gone. See [Exit].
//   - Harmless: no control character reaches a terminal, unless it was written to Raw. Those in
//     arguments of Printf and in cells of tables, line ends among them, are escaped by [Escape].
//   - Fitting: on a terminal no row of a table is wider than the terminal. Elsewhere all cells are
//     whole.
//
// # Assumptions
//
//   - The program has asked for SIGPIPE (signal.Notify); otherwise a closed pipe ends it at once.
//   - A character takes one column.
package cli
