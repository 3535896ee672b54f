// Package trash removes folders of programs that the daemon does not trust, with any contents: many
// files, deeply nested folders, folders without permissions.
//
// # Usage
//
// [Open] a bin on the disk of the folders. [Bin.Drop] takes a folder away at once; it is removed
// later, beside the caller. [Remove] removes a folder before it returns.
//
// # Guarantees
//
//   - Prompt: Drop changes one name, and waits for no removal.
//   - Bounded: one goroutine removes, in batches, and rests as long as each of them took. Its queue
//     is the bin itself, so what a crash has left there goes with the next one.
//   - Thorough: modes of folders are repaired. No depth and no length of a path is too large: a
//     folder within another one is moved to the top first.
//   - Careful: no link is followed, and nothing outside of the bin is touched.
//   - Never final: a file that cannot be removed is reported once, and stays. Nothing else waits
//     for it.
//
// # Assumptions
//
//   - No other process changes dropped folders. If one does, some files can stay.
//   - A folder and its bin are on one file system. Otherwise Drop fails, and the folder stays.
package trash
