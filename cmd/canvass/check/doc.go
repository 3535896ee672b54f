// Package check implements the commands check and models.
//
// # Usage
//
// The program passes a [verdict.Env] to [Commands], and adds the returned commands to its own.
//
// # Guarantees
//
//   - Quiet: a check in which every verdict is the expected one prints a line for each family of
//     models, and one with the totals. An unexpected verdict is described in full, with the command
//     that replays the counterexample.
//   - Honest: a check that ends early is inconclusive, never a pass. An expected violation that
//     does not occur is a failure, since a test that cannot fail proves nothing. It is accepted
//     only under a fault budget from the command line, which the expectation does not cover.
//   - Fail-fast: flags and folders are checked before the first model.
//
// # Assumptions
//
//   - A model lists the properties that it is expected to violate: models of published algorithms,
//     which are transcribed to show their errors, and models that drop an assumption.
package check
