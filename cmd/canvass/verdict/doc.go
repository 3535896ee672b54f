// Package verdict counts and lists the results of models and scenarios, joins those of shards, and
// maps verdicts to exit codes. The commands check, simulate, replay and merge share it.
//
// # Usage
//
// A command counts its results in [Totals] and writes a line for each family with [Rows]. Its JSON
// objects are [Report]s with [Shards], which canvass merge joins. [Matches] finds names by pattern,
// and [Meant] proposes the closest name for an unknown one. The program passes an [Env].
//
// # Guarantees
//
//   - Consistent: shards are joined only if one build made them with the same flags, and each
//     counts once. Missing shards are listed.
//   - Uniform: check, simulate and replay exit with the same code for the same violation.
//
// # Assumptions
//
//   - A family is the first word of a name: "can" of can/row2/join.
package verdict
