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
		Short: "Make a new map now, when the present one has a gap",
		Long: "Two neighbours on the map that die at once can leave a gap, which no node takes over. Then canvass\n" +
			"nodes says so, and some jobs find no place. When nothing on the map has changed for 20 s, the\n" +
			"witnesses close the grid by themselves. With --regrid they do so now: every daemon ends its life\n" +
			"with all that it runs, and exits with 3. Started again, the daemons found a new grid. No job is\n" +
			"forgotten; those that ran begin again.",
		Example: "  canvass node repair --regrid",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if !regrid {
				return cli.Usagef("repair ends all that runs; say --regrid if that is what you want")
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				if err := g.Regrid(ctx); err != nil {
					return err
				}
				fmt.Fprintln(e.Stderr, "The grid is closed. Its daemons end, and found a new one when they are "+
					"started again.")
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&regrid, "regrid", false, "close the present grid")
	e.Flags(&c, cmd)
	return cmd
}
