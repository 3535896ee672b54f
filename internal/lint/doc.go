// Package lint holds the rules of the house as Go tests: run them with "go test ./internal/lint" or
// "make lint".
//
// A rule that only a document states is a habit, and habits fail on the day that matters. Each rule
// here reads the source of the whole repository and reports what breaks it as
//
//	path:line: what is wrong; what to do about it [rule/kind]
//
// # purity
//
// The code below protocol/ is checked by exploring every order of its inputs, and replayed from
// nothing but a list of inputs. Both are sound only when Step is a function of its arguments. So
// that code imports only packages of a short list, all without effects, and has no map (its order
// changes from run to run), no goroutine, channel or select, no floating point (its results may
// differ between machines: compilers may fuse operations), no package variable but sentinel errors,
// no init, recover, goto, print, and nothing that tells machines or allocators apart (build
// constraints, NativeEndian, the size of int, cap). Types are resolved, so a map that hides behind
// a name is found. Test files are exempt: they do not run in production. So is the package that
// they share, protocol/drive/drivetest.
//
// It does not see writes through a slice or pointer that Step was given, nor results that depend on
// the size of int. The tests of each core look for these.
//
// # integers
//
// The engines of schedulers, central and decentralised, have no floating point either: equal input
// gives equal runs on every machine. Types and constants that are written out are found.
//
// # arrows
//
// Imports point down: cmd to scheduler, sim and model, these to checker and traces, these to
// protocol. The table in house.go lists the permitted imports of each folder, tests included. A
// folder without a row is an error, so that a new one gets its place by decision. Only tests import
// a package that supports tests.
//
// # diagram
//
// The diagram in ARCHITECTURE.md shows the imports between the folders at the top, except arrows
// that follow from others.
//
// # alias
//
// A core, a model and a simulation have the name of their protocol, such as can. A file that needs
// another name for one of them uses cancore, canmodel or cansim, and published for a published
// core. The table in house.go has these names.
//
// # docs
//
// Each package has a doc.go with a package comment of more than one line, which begins with
// "Package NAME" or "Command NAME": ARCHITECTURE.md relies on these sentences, as "go list" shows
// them. Below protocol/ and model/ the comment has a heading for guarantees and one for assumptions
// or abstractions (a verdict holds only under its assumptions), and the package has a runnable
// example.
//
// # length
//
// A file has at most 500 lines and a function 70; in tests 800 and 120. A type has at most 40
// methods, a struct 30 fields and a package 25 files, tests not counted. Larger ones are listed in
// limits.txt with their size and the reason why they are not cured. They may only shrink, and their
// entries with them: "go test ./internal/lint -shrink" lowers the table to the sizes of today.
//
// # width
//
// A comment or a line of Markdown has at most 100 columns, a line of code 120. Tables, fenced code
// and outputs of examples are exempt.
//
// # notes
//
// A note about work left to do names the issue where that work is discussed, else it would be
// forgotten.
//
// # machine
//
// No file names a folder of one machine, a registry's host or a file outside of the repository: it
// would work on that machine only.
//
// # words
//
// Some words have stopped readers: words.go lists them, each with the one to write instead.
//
// # prose
//
// Some sentences are grammatical and still stop a reader: clauses with "what" as nouns, relative
// clauses far from their noun, nodes that hear or learn. The rule counts the lines of comments,
// literals and Markdown that hold such a shape. Their share may only shrink: a bound in house.go
// follows it. "go test ./internal/lint -run TestProse -v -prose FOLDER" lists the lines.
//
// # corpus
//
// Each counterexample under traces/corpus is JSON. That it still replays is tested with the
// replayer.
//
// # make
//
// Each "make target" that README.md or ARCHITECTURE.md show as code is a target of the Makefile.
//
// # selection
//
// Each bug in the table of README.md has a row in docs/findings.md, with as many steps.
//
// # once
//
// The commands use internal/cli for exit codes, JSON, tables and progress, and define none of that
// themselves. The table in house.go says which calls and names that takes away from them.
//
// # files
//
// Code makes files with internal/fileio: as a whole or not at all, even if the disk fails. Files
// that grow, and files that are no results, are listed in house.go with the reason. The commands
// name neither os.Stdout nor os.Stderr, nor print with fmt.Print: such a write would lose its
// error. A file that a user names is opened with internal/fileio, which does not wait for the
// writer of a named pipe.
//
// # How the rules are tested
//
// A rule that cannot fail is useless. Each kind of finding has an archive under testdata: small
// files, some of which break the rule and some of which come close, and the findings that must come
// out, all of them and no others. A kind without an archive is itself an error. After a change of a
// message, "go test ./internal/lint -rewrite" writes the findings again; read the difference.
package lint
