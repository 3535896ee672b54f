// Package verdict holds what the commands about verdicts share: how results of models and scenarios
// are counted, listed, divided into shards and joined again, and which exit code they call for.
//
// # Usage
//
// A command counts its results in [Totals] and writes a line for each family with [Rows]. Its JSON
// objects are [Report]s with [Shards], which canvass merge joins. Names are found by [Matches], and
// for a name that is not there [Meant] proposes another one. The program passes an [Env].
//
// # Guarantees
//
//   - Whole: shards are joined only if they were made by one build with the same flags, and each
//     counts once. The missing ones are listed.
//   - Alike: check, simulate and replay end with the same code for the same violation.
//
// # Assumptions
//
//   - A family is the first word of a name: "can" of can/row2/join.
package verdict
