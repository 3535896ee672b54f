// Command release keeps the pages and records behind the promises of a release: the public API, the
// table of assurance and the findings.
//
// # Usage
//
//	go run ./internal/release api                  # "make api": compare the public API
//	go run ./internal/release api record v0.1.0    # record the API of a release; commit the files
//	make tables WHAT=assurance                     # write the table of docs/verification.md
//	make tables WHAT=findings                      # write docs/findings.json, tables and counts
//	make tables WHAT=findings CHECK=1              # compare them with the models
//	go test ./internal/release -run TestPage -rewrite   # write the pages from docs/findings.json
//
// # The public API
//
// The subcommand api compares the public packages of this checkout with the API of the last
// release, and demands that CHANGELOG.md names each incompatible change. A recorded API is a folder
// testdata/VERSION with a file for each package: its exported declarations in Go, without bodies
// and unexported fields. Neither the machine nor the version of Go changes it. Recording removes
// the former release.
//
// # The table of assurance
//
// The subcommand assurance writes the checks of each protocol and their extent. Everything in the
// table is counted, nothing is typed: models, bounds, states and properties come from a run of the
// check; mutants from their tables and records; scenarios, twins and theorems from the repository.
// The figures of the last check are kept in check.json beside this file. A test makes the table
// from them again, and compares it with the page.
//
// # Findings
//
// The subcommand findings writes the tables of docs/findings.md about the published algorithms, and
// the counts of findings on other pages. A finding is a row in a Go table: the model and the
// property that fails, its class, the failure, and the behaviour of the corrected core. Steps and
// traces come from the corpus. In how many interpretations the property fails is computed: the
// scenario is checked under every combination of the readings of its core, on links that keep no
// order and on links that do.
//
// # Guarantees
//
//   - An incompatible change, as golang.org/x/exp/apidiff defines it, passes only if CHANGELOG.md
//     names it as `package.Symbol` below "### Incompatible" of "## Unreleased". A compatible change
//     always passes.
//   - Current: models, mutants, scenarios, twins and theorems of the table of assurance are those
//     of the repository, and the tables and counts of findings those of the rows and the data, or a
//     test fails.
//   - Classes: a flaw in any reading fails under every combination, on ordered links too; a test
//     demands it of the data.
//
// # Assumptions
//
//   - A type of a package that is not guarded, such as one of checker/internal, keeps its API as
//     long as it keeps its name. No guarded package exposes one today.
//   - States and cases are those of the last "make tables WHAT=assurance". A check that found other
//     numbers since is not noticed until the next one, unless the number of models has changed.
//   - A combination is explored up to 300,000 states. A property that is not decided by then is
//     counted as open, and the page says so.
package main
