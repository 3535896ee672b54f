// Package catalog lists every model of the repository, for the command line and for tests.
//
// # Guarantees
//
// UniqueNames: no two models have the same name. Order: the list is the same in every run, the
// printed protocols before the corrected ones.
//
// # Assumptions, and what is not modelled
//
// The models' own packages say what each of them assumes.
//
// # What a caller does
//
// Call [All] and pick by name.
package catalog
