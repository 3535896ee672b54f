// Package fileio opens and writes the files of users and daemons, and says how to mend what fails.
//
// # Usage
//
// Opening: [Regular] opens a file whose content counts as a whole. [Open] also takes pipes and
// devices, such as those of <(command) in a shell. [Read] reads all of one. [Below] opens a file in
// a folder of a job. [Match] finds files in a folder that a user names.
//
// Texts: [Text] reads a text that users bring, such as a log, a table or JSON, from any reader;
// [ReadText] and [TextOf] read all of one. They are the way in for all readers of such files, so
// that packing, byte order marks and ends of lines are handled alike everywhere.
//
// Writing: [Write] and its variants write atomically: a crash leaves the old file or the new one.
// The contents go to a temporary file in the same folder. Once on the disk, that file takes the
// place of the old one. [Ready] makes sure, before long work, that its result can be written. A
// process that dies leaves its temporary file; the next [Write] of the same path removes it, and so
// does [Sweep]. A temporary file is locked as long as its process lives, so that the file of
// another live process is never taken for one of these.
//
// Mending: the reporter of an error of the machine adds the [Remedy] of its cause, or another one:
//
//	mend := cmp.Or(fileio.Remedy(err), "restore it from a backup")
//	return fmt.Errorf("read %s: %w; %s", name, err, mend)
//
// # Guarantees
//
//   - Prompt: no opening waits. A pipe without a writer is empty; one with a writer is read to its
//     end. An ordinary open of a named pipe without a writer would block forever.
//   - Told apart: an error about a file of the wrong kind names the kind that is there.
//   - Named: a text in another coding or packing is an error that names it, never read as rubbish.
//   - Literal: the name of a folder is never taken for a pattern.
//   - Bounded: Read has a limit of bytes, which holds for endless devices too.
//   - Whole: a full disk, an error or the death of the process leave the old file as it was.
//   - One table: a cause has the same remedy everywhere, at any depth in an error.
//
// # Assumptions
//
//   - An error has the cause that the kernel or the resolver gave. An error that was made from a
//     text has no remedy.
package fileio
