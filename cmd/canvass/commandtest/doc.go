// Package commandtest holds helpers for the tests of several command packages: the check that help
// describes the JSON of a command, the check that tables fit a terminal, and a [Buffer] for the
// output of a running process. Only tests import it.
package commandtest
