// Package nearest finds the names that a mistyped name probably meant.
//
// Errors about unknown names of commands, models, platforms and settings list what [Names] returns.
//
// # Usage
//
//	nearest.Names("shacrnet", []string{"das2", "sharcnet"}) // [sharcnet]
//
// # Guarantees
//
//   - Near: a name that needs more changed letters than max(2, a third of the word) is not listed.
//   - Ordered: the nearest name comes first; equally near names keep the order of the candidates.
//
// # Assumptions
//
//   - Names are short ASCII words: the time is the product of the two lengths.
package nearest
