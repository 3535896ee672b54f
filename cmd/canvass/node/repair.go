package node

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) repairCommand() *cobra.Command {
	var c client.Daemon
	var regrid bool
	cmd := &cobra.Command{
		Use:   "repair --regrid",
		Short: "Replace a map that has a gap",
		Long: "If two neighbours on the map die at once they can leave a gap that no node takes over. canvass\n" +
			"node status reports it, and some jobs cannot be placed. After 20 s without a change of the map\n" +
			"the witnesses close the grid by themselves. With --regrid they close it now: every daemon ends\n" +
			"with everything it runs, and exits with 3. Restarted daemons create a new grid. No job is\n" +
			"lost; running jobs start again.",
		Example: "  canvass node repair --regrid",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if !regrid {
				return cli.Usagef("repair ends all running tasks; confirm with --regrid")
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				if err := g.Regrid(ctx); err != nil {
					return err
				}
				fmt.Fprintln(e.Stderr, "The grid is closed. Its daemons end, and create a new grid when they are "+
					"started again.")
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&regrid, "regrid", false, "close the grid now")
	e.Flags(&c, cmd)
	return cmd
}
