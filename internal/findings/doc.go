// Package main writes the tables of docs/findings.md about the published algorithms, and the counts
// of findings on other pages.
//
// A finding is a row in a Go table: the model and the property that fails, its class, the failure,
// and the behaviour of the corrected core. Steps and traces come from the corpus. In how many
// interpretations the property fails is computed: the scenario is checked under every combination
// of the readings of its core, on links that keep no order and on links that do.
//
// # Usage
//
//	make findings          # checks every combination, then writes docs/findings.json and the pages
//	make findings-check    # checks every combination, and fails if docs/findings.json says otherwise
//	go test ./internal/findings -run TestPage -rewrite   # writes the pages from docs/findings.json
//
// # Guarantees
//
//   - Classes: a flaw in any reading fails under every combination, on ordered links too; a test
//     demands it of the data.
//   - Current: a test makes the tables and the counts from the rows and the data anew, and compares
//     them with the pages.
//
// # Assumptions
//
//   - A combination is explored up to 300,000 states. A property that is not decided by then is
//     counted as open, and the page says so.
package main
