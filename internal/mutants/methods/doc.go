// Command methods measures how hard mutants are to find: for each of those named as its arguments, or for every so
// many-th, the states that the checker needs, and the walks and seeds that the methods that draw need. It prints a table in
// Markdown. It takes long: a mutant is a build of its own.
package main
