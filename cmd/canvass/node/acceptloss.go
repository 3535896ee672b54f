package node

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// givenUp describes the consequences of accepting the loss of a disk.
const givenUp = `Decisions that node %[1]s made while the other node that keeps %[2]s was down are lost then:
- an attempt that it permitted may still run, beside the next one;
- a result it reported is void: the job runs again, and may end differently;
- a cancellation it accepted is lost: cancel the job again.
The job has one copy from then on. If node %[1]s came back with its disk after all, either of the two
records could win: never start it again.`

func (e Env) acceptLossCommand() *cobra.Command {
	var c client.Daemon
	var lost string
	cmd := &cobra.Command{
		Use:   "accept-loss ID --lost NODE",
		Short: "Let a job continue without a custodian whose disk is lost",
		Long: "After both custodians of a job were down, the job waits for the custodian that failed last,\n" +
			"which may have made decisions alone. If its disk is lost for good, this command lets the other\n" +
			"custodian continue with its own record. Without --lost it names the node that the job waits\n" +
			"for, and the decisions that may be lost.\n\n" +
			"Decisions that the lost node took alone are lost: an attempt that it started may still run\n" +
			"beside the next one, a result it reported is void, and a cancellation it accepted must be\n" +
			"repeated. From then on the job has one copy. canvass rm cannot remove it.\n\n" +
			"Exit codes: 2 a loss could be accepted, and --lost is missing; 6 no loss can be accepted; 7 no\n" +
			"such job; 9 it has ended.",
		Example: "  canvass node accept-loss b4k2\n  canvass node accept-loss b4k2 --lost B",
		Args:    client.OneJob,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				if lost == "" {
					return e.unconfirmed(ctx, g, args[0])
				}
				defer e.Notice(ctx, g, client.Alters, client.Named(args[0]))()
				r, err := g.AcceptLoss(ctx, args[0], lost)
				if err != nil {
					return err
				}
				if r.Spec.Array != nil {
					e.Stderr.Printf("note: elements that have not started yet still wait for %s\n", lost)
				}
				return e.Stdout.Print(r, func() error { return e.Stdout.Printf("%s %s\n", r.ID, r.State) })
			})
		},
	}
	cmd.ValidArgsFunction = e.Complete(client.JobNames)
	cmd.Flags().StringVar(&lost, "lost", "", "the node whose disk is gone for good")
	_ = cmd.RegisterFlagCompletionFunc("lost", e.Complete(client.NodeNames)) // fails only for a flag that is not there
	e.Flags(&c, cmd)
	return cmd
}

// unconfirmed describes the consequences, and the flag that confirms them. A job that does not wait
// for one disk is refused as with --lost.
func (e Env) unconfirmed(ctx context.Context, g api.Grid, id string) error {
	r, err := g.Job(ctx, id)
	if err != nil {
		return err
	}
	if r.State.Final() {
		return fmt.Errorf("%w: %s is %s", jobs.ErrOver, r.ID, r.State)
	}
	why, err := g.Why(ctx, r.ID)
	if err != nil {
		return err
	}
	if len(why.Missing) != 1 || len(r.Custodians) != 2 {
		e.Stderr.Printf("canvass: %s waits for no single node that keeps it. %s\n", r.ID,
			strings.Join(why.Reasons, " "))
		return cli.Code(cli.CodeRefused)
	}
	node := why.Missing[0].String()
	e.Stderr.Printf(givenUp+"\n", node, r.ID)
	return cli.Usagef("%s waits for node %s, which keeps its record. If its disk is gone for good: "+
		"canvass node accept-loss %s --lost %s", r.ID, node, r.ID, node)
}
