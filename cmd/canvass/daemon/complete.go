package daemon

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// completionLimit is how long a shell waits for names of the grid.
const completionLimit = time.Second

// The commands whose arguments are jobs, several or one, and those whose argument is a node.
var (
	takesJobs = []string{"wait", "cancel", "hold", "release", "rm"}
	takesJob  = []string{"status", "why", "logs", "ls", "get", "accept-loss"}
	takesNode = []string{"nodes", "drain"}
)

// completions makes commands complete the names of jobs and nodes, by asking the daemon that the
// command would ask. Where none answers there is nothing to propose.
func (e Env) completions(all []*cobra.Command) {
	for _, c := range all {
		e.completions(c.Commands())
		for _, name := range append(takesJobs[:len(takesJobs):len(takesJobs)], takesJob...) {
			if c.Name() == name {
				c.ValidArgsFunction = e.complete(jobNames)
			}
		}
		for _, name := range takesNode {
			if c.Name() == name {
				c.ValidArgsFunction = e.complete(nodeNames)
			}
		}
		for flag, names := range map[string]namesOf{
			"node": nodeNames, "lost": nodeNames, "job": jobNames, "failed": jobNames, "user": userNames,
		} {
			if c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, e.complete(names)) // fails only for a flag that is not there
			}
		}
		for flag, words := range map[string][]string{
			"kind": append(api.EventKinds(), allKinds), "kill-signal": jobs.Signals,
		} {
			if c.Flags().Lookup(flag) != nil {
				cli.CompleteWords(c, flag, words)
			}
		}
	}
}

// namesOf asks a daemon for names.
type namesOf func(context.Context, *api.Client) ([]string, error)

func (e Env) complete(names namesOf) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		c := client{}
		if socket := cmd.Flags().Lookup("socket"); socket != nil {
			c.socket = socket.Value.String()
		}
		grid, err := c.grid(e)
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

func jobNames(ctx context.Context, g *api.Client) (names []string, err error) {
	all, err := g.Jobs(ctx, api.ListQuery{})
	for _, r := range all.Jobs {
		names = append(names, r.ID+"\t"+string(r.State)+": "+short(r.Spec.Command))
	}
	return names, err
}

func nodeNames(ctx context.Context, g *api.Client) (names []string, err error) {
	all, err := g.Nodes(ctx)
	for _, n := range all {
		names = append(names, n.Node.String())
	}
	return names, err
}

// userNames lists the users whose jobs the grid lists.
func userNames(ctx context.Context, g *api.Client) (names []string, err error) {
	all, err := g.Jobs(ctx, api.ListQuery{})
	for _, r := range all.Jobs {
		if r.User != "" && !slices.Contains(names, r.User) {
			names = append(names, r.User)
		}
	}
	return names, err
}
