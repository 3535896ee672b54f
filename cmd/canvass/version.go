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
			return t.Stdout.Print(t.build, func() error { return t.Stdout.Printf("%s\n", t.build) })
		},
	}
	t.Stdout.JSONFlag(cmd.Flags())
	return cmd
}
