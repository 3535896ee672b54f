package main

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/runner"
)

// shimCommand is for daemons, not for people: it runs one task, see package runner.
func (t *tool) shimCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "shim",
		Short:  "Run one task for a daemon",
		Hidden: true,
		Args:   exactly(0, "nothing"),
		RunE: func(*cobra.Command, []string) error {
			if code := runner.Shim(); code != exitOK {
				return exitCode(code)
			}
			return nil
		},
	}
}
