package client

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
)

// completionLimit is how long a shell waits for names of the grid.
const completionLimit = time.Second

// NamesOf asks a daemon for names.
type NamesOf func(context.Context, *api.Client) ([]string, error)

// Complete completes names, by asking the daemon that the command would ask.
func (e Env) Complete(names NamesOf) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		c := Daemon{}
		if socket := cmd.Flags().Lookup("socket"); socket != nil {
			c.socket = socket.Value.String()
		}
		grid, err := c.Grid(e)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(context.Background(), completionLimit)
		defer cancel()
		found, err := names(ctx, grid)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// JobNames lists the jobs of the grid, with their states and commands.
func JobNames(ctx context.Context, g *api.Client) (names []string, err error) {
	all, err := g.Jobs(ctx, api.ListQuery{})
	for _, r := range all.Jobs {
		names = append(names, r.ID+"\t"+string(r.State)+": "+Short(r.Spec.Command))
	}
	return names, err
}

// NodeNames lists the nodes of the grid.
func NodeNames(ctx context.Context, g *api.Client) (names []string, err error) {
	all, err := g.Nodes(ctx)
	for _, n := range all {
		names = append(names, n.Node.String())
	}
	return names, err
}
