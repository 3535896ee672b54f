package jobs

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) submitCommand() *cobra.Command {
	var s submission
	cmd := &cobra.Command{
		Use:   "submit [flags] FILE | -- COMMAND [ARGUMENT]...",
		Short: "Submit a job and print its id",
		Long: "Submits a job: a command, or a job file, whose keys the flags override. The id is printed once the job is\n" +
			"on the disks of its custodians.\n\n" +
			"A job file is TOML. Its keys: name, command, tasks, array, env, inputs (from, to, mode), outputs, stdin,\n" +
			"timeout, deadline, retries (on-exit, codes, backoff), restart-limit, kill (signal, grace), stdout-limit,\n" +
			"hold. Names of files are relative to the job file.\n\n" +
			"Exit codes: 6 refused, 7 no such job (--failed).",
		Example: "  canvass submit -- sleep 60\n" +
			"  canvass submit -k 4 --key tuesday --timeout 10m -- ./simulate\n" +
			"  canvass submit --array 0-99%10 -- sh -c 'echo element $CANVASS_INDEX'\n" +
			"  canvass submit render.toml --array 0-3\n" +
			"  canvass submit --failed b4k2",
		RunE: func(_ *cobra.Command, args []string) error {
			s.read = cli.NewGuard(e.Stdout, e.Stderr)
			job, err := s.job(args)
			if err != nil {
				return e.Coded(err)
			}
			return e.Ask(&s.Daemon, func(ctx context.Context, g *api.Client) error {
				job, err := s.prepare(ctx, g, job)
				if err != nil {
					return err
				}
				r, err := s.handIn(ctx, e, g, job)
				if err != nil {
					return err
				}
				return e.Stdout.Print(r, func() error { return e.Stdout.Printf("%s\n", r.ID) })
			})
		},
	}
	s.flags(e, cmd)
	cmd.Flags().StringVar(&s.failed, "failed", "", "resubmit the elements of this array that did not succeed")
	return cmd
}
