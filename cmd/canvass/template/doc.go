// Package template writes a new module that checks a protocol: a core with a planted bug, a model,
// a test that finds the bug, a CI file and a README that says which line to fix.
package template
