// Command methods measures how hard mutants are to find: for each of those named as its arguments,
// or for every so many-th, the states that the checker needs, and the walks and seeds that the
// methods that draw need. A mutant is one build. It prints a table in Markdown; or, with -json, a
// line for each mutant, so that a run that was stopped is continued with -skip, and those of
// several runs (-shard) make one table (-render).
package main
