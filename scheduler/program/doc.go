// Package program runs scheduling policies that are programs, in any language: processes that read
// requests and write answers, one JSON object a line. docs/own-policy.md has the protocol with a
// grammar, and an example.
//
// A policy is called "exec:./mine.py --depth 3": a program and its arguments, separated by blanks.
// [Resolve] adds a digest of the program, as in "exec:./mine.py --depth 3@0123456789abcdef", so
// that results of different programs are never taken for results of one.
//
//	name.go     names, files and digests
//	process.go  one run of a program: start, ask, end
//	message.go  requests and answers
//
// # Usage
//
// Package scheduler/lab has [System] in its table. [System.Prepare] checks the digest of the
// program. Each run starts one process.
//
// # Guarantees
//
//   - One kind of check: package central checks what a program decides, as it checks a policy in
//     Go. A wrong decision, no answer in time, an end of the process, or a text that is no answer
//     ends the run with a central.PolicyError.
//   - Hidden run times: a request has no run time of a job that still runs.
//   - No process stays: when a run ends, or its context does, the process and its children are
//     ended and waited for.
//   - Bounded: an answer has at most a mebibyte, and four kibibytes of the standard error are kept.
//
// # Assumptions
//
//   - The program gives equal answers to equal requests. If it draws, it draws from the seed of the
//     greeting. Otherwise rows cannot be made again.
//   - The digest is of the files that the name has in it. Files that these read, such as imports,
//     are not part of it.
//   - If this process is killed by force, the program sees the end of its standard input, and ends.
package program
