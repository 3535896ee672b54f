// Package main writes the table of assurance: for each protocol, what checks it, and how much.
//
// Everything in the table is counted, nothing is typed: models, bounds, states and properties come
// from a run of the check; mutants from their tables and records; scenarios, twins and theorems
// from the repository.
//
// # Usage
//
//	make assurance   # checks everything, then writes the table into docs/verification.md
//
// The figures of the last check are kept in check.json beside this file. A test makes the table
// from them anew, and compares it with the page.
//
// # Guarantees
//
//   - Current: models, mutants, scenarios, twins and theorems are those of the repository, or the
//     test fails.
//
// # Assumptions
//
//   - States and cases are those of the last "make assurance". A check that found other numbers
//     since is not noticed until the next one, unless the number of models has changed.
package main
