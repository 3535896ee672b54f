package main

// claimRows are findings that need no checker: what is claimed is false by an example, which a test
// computes.
func claimRows() []Row { return nil }
