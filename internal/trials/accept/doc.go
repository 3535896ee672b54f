// Command accept tries the promises to users of the daemon, one item after the other, on the
// program that "make build" made: "make accept".
//
// # Usage
//
//	go run ./internal/trials/accept             # all items
//	go run ./internal/trials/accept -item 6 -runs 20
//	go run ./internal/trials/accept -runs full  # as often, as large and as long as each item names
//
// It prints a line for each item: ok, FAILED or "not there", and the observation. An item that
// names an amount reports how much of it was tried. Items that cannot be tried yet are listed with
// the reason. The exit code is 1 if an item has failed.
//
// # Guarantees
//
//   - Real: every item runs daemons and jobs as processes, through the command alone. Item 1 starts
//     them with canvass dev, the others with the package that canvass dev uses.
//   - Ledger: tasks record their beats in a file outside of the grid, which shows whether attempts
//     of a job overlapped.
//   - Clean: an item leaves no process behind, even if it fails.
//
// # Assumptions
//
//   - Limits of time hold on a machine that has little else to do.
//   - The folder for temporary files has a short name, since names of sockets are short.
package main
