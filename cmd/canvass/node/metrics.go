package node

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) metricsCommand() *cobra.Command {
	var c client.Daemon
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Print the metrics of a daemon",
		Long: "Prints the metrics of a daemon in the text format of Prometheus: its lease and zone, jobs by state,\n" +
			"queues, frames, the durations of commits, steps and kills, and violated assumptions of the protocols. The same\n" +
			"text is at /metrics of its socket. It arrives within about a second: if the loop of the daemon does not\n" +
			"answer, canvass_loop_answers is 0, and the metrics of the loop are missing.",
		Example: "  canvass node metrics | grep canvass_jobs\n" +
			"  curl --unix-socket /var/lib/canvass/api.sock http://canvass/metrics",
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				text, err := g.Metrics(ctx)
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(e.Stdout, text)
				return err
			})
		},
	}
	c.TimeoutFlag(cmd)
	c.SocketFlag(cmd)
	return cmd
}
