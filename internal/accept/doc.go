// Command accept tries the promises to users of the daemon, one item after the other, with the
// program as it was built: "make accept".
//
// # Usage
//
//	go run ./internal/accept                 # all items; what "make accept" runs
//	go run ./internal/accept -item 6 -runs 20
//	go run ./internal/accept -runs full      # as often, as large and as long as each item says
//	go run ./internal/accept -bench -runs 5  # "make bench-daemon": beside other systems
//
// It prints a line for each item: ok, FAILED or "not there", and what was seen. An item that names
// an amount says how much of it was tried. Items that cannot be had yet are listed with the reason.
// The exit code is 1 if an item has failed.
//
// # Guarantees
//
//   - Real: every item runs daemons and jobs as processes, through the command alone.
//   - Ledger: whether a job ran twice at once is read from beats that its processes write into a
//     file outside of the grid.
//   - Clean: an item leaves no process behind, also if it fails.
//
// # Assumptions
//
//   - Limits of time hold on a machine that has little else to do.
//   - The folder for temporary files has a short name, since names of sockets are short.
package main
