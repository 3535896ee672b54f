package daemon

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// changes are commands that do one thing with each of some jobs.
func (e Env) changes() []*cobra.Command {
	return []*cobra.Command{
		e.cancelCommand(),
		e.change("hold", "Keep jobs that wait from running",
			"Keeps jobs from running until canvass release. What runs already goes on.", (*api.Client).Hold),
		e.change("release", "Let jobs run that were held",
			"Lets jobs run that canvass hold, or submit --hold, keeps from running.", (*api.Client).Release),
		e.change("rm", "Forget jobs that have ended, with their outputs",
			"Forgets jobs that have ended: their records, keys, logs and outputs. Without it a daemon keeps them\n"+
				"for 7 days, and at most 10,000.", (*api.Client).Remove),
	}
}

func (e Env) cancelCommand() *cobra.Command {
	async := false
	cmd := e.change("cancel", "End jobs, and return when nothing of them can run any more",
		"Ends jobs. Their tasks get the signal of the job, and SIGKILL after its grace. When the command\n"+
			"returns, none of their processes runs, and none will. With --async it returns when the custodians\n"+
			"of the job have the wish on their disks: the tasks may still run, but the job will end. It then\n"+
			"prints the present state; canvass wait waits for the end.",
		func(g *api.Client, ctx context.Context, id string) (*jobs.Record, error) {
			if async {
				return g.CancelLater(ctx, id)
			}
			return g.Cancel(ctx, id)
		})
	cmd.Example += "\n  canvass cancel --async b4k2"
	cmd.Flags().BoolVar(&async, "async", false, "do not wait until the jobs have ended")
	return cmd
}

func (e Env) change(
	name, short, long string, f func(*api.Client, context.Context, string) (*jobs.Record, error),
) *cobra.Command {
	var c client
	cmd := &cobra.Command{
		Use: name + " ID...", Short: short, Long: long, Example: "  canvass " + name + " b4k2", Args: someJobs,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				for _, id := range args {
					r, err := f(g, ctx, id)
					if err != nil {
						return err
					}
					if c.json {
						err = e.print(r)
					} else {
						_, err = fmt.Fprintln(e.Stdout, r.ID, r.State)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.flags(cmd)
	return cmd
}

func (e Env) drainCommand() *cobra.Command {
	var c client
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "drain",
		Short: "Make a daemon leave the grid and end",
		Long: "The daemon of the socket takes no new tasks and no new jobs. When what runs on it, and the jobs that\n" +
			"were handed in there, have ended, it gives its zone of the map away and ends. The command returns\n" +
			"then. With --deadline it ends at the latest after that time, as if it were killed.",
		Example: "  canvass drain --deadline 10m",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				if err := g.Drain(ctx, limit); err != nil {
					return err
				}
				for {
					if _, err := g.Jobs(ctx); err != nil {
						return ctx.Err() // it has ended, or the user has ended the command
					}
					time.Sleep(drainEvery)
				}
			})
		},
	}
	cmd.Flags().DurationVar(&limit, "deadline", 0, "end at the latest after this time (default: no limit)")
	c.flags(cmd)
	return cmd
}

// drainEvery is how often a daemon that leaves is asked whether it is still there.
const drainEvery = 100 * time.Millisecond
