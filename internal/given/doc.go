// Package given opens files that users or jobs name, without waiting for what is no file: a named
// pipe that nobody writes into would keep a command forever.
//
// # Usage
//
// [Regular] opens a file whose content counts as a whole. [Open] also takes pipes and devices, such
// as those of <(command) in a shell. [Read] reads all of one. [Below] opens a file in a folder of a
// job. [Match] finds files in a folder that a user names.
//
// # Guarantees
//
//   - Prompt: no opening waits. A pipe without a writer is empty; one with a writer is read to its
//     end.
//   - Told apart: an error says what the name stands for, if that is why it cannot be used.
//   - Literal: the name of a folder is never taken for a pattern.
//   - Bounded: Read takes at most so many bytes, also of a device without an end.
package given
