// Package wholefile writes files that exist as a whole or not at all.
//
// The contents go to a temporary file in the same folder. Once they are on the disk, the temporary
// file takes the place of the old one. A full disk, an error or the death of the process leave the
// old file as it was.
//
// [Ready] makes sure, before long work, that its result can be written.
//
// A process that dies leaves its temporary file. The next [Write] of the same path removes it, and
// so does [Sweep]. A temporary file is locked as long as its process lives, so that the file of
// another live process is never taken for one of these.
package wholefile
