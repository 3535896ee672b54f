package jobs

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// The commands whose arguments are jobs, several or one.
var (
	takesJobs = []string{"wait", "cancel", "hold", "release", "rm"}
	takesJob  = []string{"status", "why", "logs", "ls", "get"}
)

// completions makes commands complete the names of jobs, nodes and users, by asking the daemon that
// the command would ask. Where none answers there is nothing to propose.
func (e Env) completions(all []*cobra.Command) {
	for _, c := range all {
		if slices.Contains(takesJobs, c.Name()) || slices.Contains(takesJob, c.Name()) {
			c.ValidArgsFunction = e.Complete(client.JobNames)
		}
		for flag, names := range map[string]client.NamesOf{
			"node": client.NodeNames, "job": client.JobNames, "failed": client.JobNames, "user": userNames,
		} {
			if c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, e.Complete(names)) // fails only for a flag that is not there
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
