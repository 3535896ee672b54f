package jobs

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

func hold(e Env) *cobra.Command {
	return e.change("hold", "Keep waiting jobs from starting",
		"Keeps jobs from starting until canvass release. A job that is already running continues.", "held",
		(*api.Client).Hold)
}

func release(e Env) *cobra.Command {
	return e.change("release", "Let held jobs start",
		"Releases jobs that canvass hold or the flag --hold keeps from starting.", "released", (*api.Client).Release)
}

func rm(e Env) *cobra.Command {
	return e.change("rm", "Forget jobs that have ended, with their outputs",
		"Forgets jobs that have ended: their records, keys, logs and outputs. Without it, a daemon\n"+
			"keeps ended jobs for 7 days, and at most 10,000 of them.", "forgotten", (*api.Client).Remove)
}

func (e Env) cancelCommand() *cobra.Command {
	async := false
	cmd := e.change("cancel", "End jobs, and wait until all their processes have ended",
		"Ends jobs. Their tasks get the signal of the job, and SIGKILL after its grace period. When the\n"+
			"command returns, all their processes have ended, and none will start. With --async it returns\n"+
			"once the custodians have stored the cancellation: tasks may still run, but the job will end.\n"+
			"It then prints the current state; canvass wait waits for the end.", "",
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

// change is a command that prints for each job what it has done, or, without a word for that, its
// state.
func (e Env) change(
	name, short, long, said string, f func(*api.Client, context.Context, string) (*jobs.Record, error),
) *cobra.Command {
	var c client.Daemon
	cmd := &cobra.Command{
		Use: name + " ID...", Short: short, Long: long, Example: "  canvass " + name + " b4k2", Args: someJobs,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				for _, id := range args {
					stop := e.Notice(ctx, g, client.Alters, client.Named(id))
					r, err := f(g, ctx, id)
					stop()
					if err != nil {
						return err
					}
					if err := e.Stdout.Print(r, func() error {
						return e.Stdout.Printf("%s %s\n", r.ID, cmp.Or(said, string(r.State)))
					}); err != nil {
						return err
					}
					if r.Held && r.State == jobs.Running {
						e.Stderr.Printf("note: %s runs; its next attempt will be held\n", r.ID)
					}
				}
				return nil
			})
		},
	}
	e.Flags(&c, cmd)
	return cmd
}
