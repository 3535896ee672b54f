package jobs

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) logsCommand() *cobra.Command {
	var c client.Daemon
	f := follower{Env: e}
	attempt := 0
	cmd := &cobra.Command{
		Use:   "logs ID",
		Short: "Print the output of a job",
		Long: "Prints the output of a job's tasks. With several tasks each line begins with the rank. --tail N starts\n" +
			"with the last N lines of each stream of each rank. With -f the output of later attempts follows from\n" +
			"its beginning.\n\n" +
			"For an array it lists the elements that have printed anything, and how many bytes.\n\n" +
			"Output is on the disks of the hosts. Exit codes: 7 no such job; 8 a host is dead; 1 a host does not answer,\n" +
			"and may be alive. canvass node status shows which.",
		Example: "  canvass logs b4k2\n" +
			"  canvass logs -f --tail 20 b4k2\n" +
			"  canvass logs -f --rank 2 --stderr b4k2",
		Args: client.OneJob,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.tail < -1 {
				return cli.Usagef("--tail %d: want a number of lines, or -1 for all", f.tail)
			}
			if f.rank < 0 {
				return cli.Usagef("--rank %d: want a rank from 0", f.rank)
			}
			if cmd.Flags().Changed("attempt") && attempt < 1 {
				return cli.Usagef("--attempt %d: want an attempt from 1", attempt)
			}
			f.id, f.only, f.attempt = args[0], cmd.Flags().Changed("rank"), attempt-1
			f.both = !f.errors
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				f.grid = g
				if f.follow {
					defer e.Notice(ctx, g, client.Waits, client.Named(f.id))()
				}
				defer e.Stdout.Watch()()
				err := f.run(ctx)
				if array := (arrayError{}); errors.As(err, &array) {
					return e.elementLogs(ctx, g, array.Record)
				}
				if err != nil {
					return err
				}
				switch {
				case f.lost == nil:
					return nil
				case errors.Is(f.lost, blobs.ErrLost):
					return cli.Code(cli.CodeLost)
				}
				return cli.Code(1)
			})
		},
	}
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "keep printing until the job has ended")
	cmd.Flags().IntVar(&f.rank, "rank", 0, "print only the output of this rank")
	cmd.Flags().BoolVar(&f.errors, "stderr", false, "print only the error stream")
	cmd.Flags().IntVar(&f.tail, "tail", -1, "print only this number of last lines of each stream (-1: all)")
	cmd.Flags().IntVar(&attempt, "attempt", 0, "print the output of this attempt, from 1 (default: the latest)")
	e.Flags(&c, cmd)
	return cmd
}
