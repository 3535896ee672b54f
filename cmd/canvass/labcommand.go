package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/lab"
	"github.com/canvass-grid/canvass/internal/cli"
)

// labCommand leaves out the commands below it if no argument names it: they take a twelfth of
// the time that any other command takes to start. It has no other name.
func (t *tool) labCommand() *cobra.Command {
	return lab.Command(lab.Env{
		Named: slices.Contains(t.args, "lab"),
		Stdin: t.stdin, Stdout: t.stdout, Stderr: t.stderr, Commit: cli.ThisBuild().Commit,
	})
}
