package jobs

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) waitCommand() *cobra.Command {
	var c client.Daemon
	var anyOf bool
	cmd := &cobra.Command{
		Use:   "wait ID...",
		Short: "Wait for jobs to end; exit with the code of the first failure",
		Long: "Waits until all jobs have ended; with --any, until one of them has, and prints its id. While a\n" +
			"job waits, it prints each new reason on standard error.",
		Example: "  canvass wait b4k2\n  canvass wait --any b4k2 x7aa",
		Args:    someJobs,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				if anyOf {
					return e.waitAny(ctx, g, args)
				}
				var failed error
				for _, id := range args {
					stop := e.Notice(ctx, g, client.Waits, client.Named(id))
					if err := e.ended(ctx, g, id); err != nil && failed == nil {
						failed = err
					}
					stop()
				}
				return failed
			})
		},
	}
	cmd.Flags().BoolVar(&anyOf, "any", false, "wait only until one of them has ended")
	e.Flags(&c, cmd)
	return cmd
}

func someJobs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || slices.Contains(args, "") {
		return cli.Usagef("%s needs the id of a job; canvass status lists them", cmd.Name())
	}
	return nil
}

// waitAny waits for the first of some jobs.
func (e Env) waitAny(ctx context.Context, g *api.Client, ids []string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	first := make(chan error, len(ids))
	for _, id := range ids {
		go func() {
			defer e.Notice(ctx, g, client.Waits, client.Named(id))()
			r, err := g.Wait(ctx, id)
			if err == nil && !e.Stdout.WantsJSON() {
				fmt.Fprintln(e.Stdout, r.ID)
			}
			if err == nil {
				err = e.ended(ctx, g, id)
			}
			first <- err
		}()
	}
	return <-first
}
