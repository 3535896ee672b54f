// Package catalog lists every model of the repository, for the command line and for tests.
//
// # Usage
//
// Call [All] and pick by name.
//
// # Guarantees
//
//   - UniqueNames: no two models have the same name.
//   - Order: the list is the same in every run, the published protocols before the corrected ones.
//
// # Assumptions
//
// The packages of the models state what each of them assumes.
package catalog
