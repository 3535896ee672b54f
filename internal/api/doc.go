// Package main guards the public API: it compares the packages of this checkout with the API of the
// last release, and demands that CHANGELOG.md names each incompatible change.
//
// # Usage
//
//	go run ./internal/api                  # what "make api" runs: compare
//	go run ./internal/api record v0.1.0    # record the API of a release; commit what it writes
//
// A recorded API is a folder testdata/VERSION with a file for each package: its exported
// declarations in Go, without bodies and unexported fields. It is the same on every machine and
// under every version of Go that knows the language. Recording removes the former release.
//
// # Guarantees
//
//   - An incompatible change, as golang.org/x/exp/apidiff defines it, passes only if CHANGELOG.md
//     names it as `package.Symbol` below "### Incompatible" of "## Unreleased".
//   - A compatible change always passes.
//
// # Assumptions
//
//   - A type of a package that is not guarded, such as one of checker/internal, keeps its API as
//     long as it keeps its name. No guarded package exposes one today.
package main
