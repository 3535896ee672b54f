package main

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/internal/cli"
)

func (t *tool) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Long:    "Prints the versions of the module and of Go, and the commit of the source if the build recorded it.",
		Example: "  canvass version\n  canvass version --json",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			b := cli.ThisBuild()
			return t.stdout.Print(b, func() error { return t.stdout.Printf("%s\n", b) })
		},
	}
	t.stdout.JSONFlag(cmd.Flags())
	return cmd
}
