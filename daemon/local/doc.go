// Package local implements grids of daemons on one machine: each daemon is a separate process, with
// its own folder, keys and links.
//
// # Usage
//
//  1. Fill a [Grid] and call [Grid.Make], which makes the folders.
//  2. Call [Grid.Form], which starts all of them, and later [Grid.Start] to restart a daemon that
//     has ended.
//  3. Receive from [Grid.Ended] which daemons end, and call [Grid.End] at the end.
//
// # Guarantees
//
//   - Bound: a daemon gets no signal of the terminal, and the kernel kills it when this process
//     ends.
//   - Witnessed: the first three of three or more daemons are the witnesses, otherwise the first
//     one is. All know where to find them.
//   - Waited: when End returns, all daemons have ended.
//
// # Assumptions
//
//   - The folder has a short name, since each daemon has a Unix socket in it.
//   - One goroutine at a time calls the methods.
package local
