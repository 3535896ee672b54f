package daemon

import (
	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/runner"
)

// shimCommand is what a daemon starts for each task. It is not for people.
func (e Env) shimCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "shim",
		Short:  "Run the task of a daemon",
		Hidden: true,
		Args:   noArguments,
		RunE:   func(*cobra.Command, []string) error { return Code(runner.Shim()) },
	}
}
