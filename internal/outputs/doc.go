// Package outputs keeps a command from writing onto what it reads, and from writing two things to
// one file.
//
// A command names every file and stream before it opens it: [Guard.Reads] and [Guard.Writes] for
// files, [Guard.Fills] for folders in which it chooses the names, [New] and [Guard.Stdin] for what
// a shell has opened. Each refuses a name that stands for the same file as an earlier one, of
// which at least one is written.
//
// # Usage
//
// Name all outputs first. Then name each input before it is opened, even if that is late: nothing
// has been written until then. A refusal is a mistake on the command line: a [usage.Error].
//
// # Guarantees
//
//   - Two names of one file are recognised: relative and absolute paths, symbolic links (also those
//     that lead nowhere yet), hard links, and files behind standard input and output.
//   - Pipes and devices never clash, so that /dev/null may stand for several outputs.
//   - Any number of inputs may be the same file.
//
// # Assumptions
//
// Nothing renames files between the call and the writing. Otherwise a clash is missed.
package outputs
