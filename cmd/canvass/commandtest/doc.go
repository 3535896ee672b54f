// Package commandtest holds what the tests of several command packages share: the check that help
// describes the JSON of a command, the check that tables fit a terminal, and a [Buffer] for the
// output of a process that still runs. Only tests import it; what one package alone needs stays in
// its own tests.
package commandtest
