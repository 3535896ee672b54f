package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/grid"
	"github.com/canvass-grid/canvass/internal/cli"
)

// gridCommand leaves out the commands below it if no argument names it: they take a twelfth of
// the time that any other command takes to start. It has no other name.
func (t *tool) gridCommand() *cobra.Command {
	return grid.Command(grid.Env{
		Named: slices.Contains(t.args, "grid"),
		Stdin: t.stdin, Stdout: t.stdout, Stderr: t.stderr, Commit: cli.ThisBuild().Commit,
	})
}
