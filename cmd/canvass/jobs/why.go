package jobs

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) whyCommand() *cobra.Command {
	var c client.Daemon
	cmd := &cobra.Command{
		Use:     "why ID",
		Short:   "Explain why a job waits",
		Long:    "Explains in sentences why a job waits, the likeliest reason first.",
		Example: "  canvass why b4k2",
		Args:    client.OneJob,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				why, err := g.Why(ctx, args[0])
				if err != nil {
					return err
				}
				return e.Stdout.Print(why, func() error { return sentences(e.Stdout, why.Reasons) })
			})
		},
	}
	e.Flags(&c, cmd)
	return cmd
}

// sentences writes sentences, each on a line, or on several as the terminal is wide.
func sentences(out *cli.Output, all []string) error {
	for _, text := range all {
		for _, line := range cli.Wrapped(cli.Escape(text), out.Columns()) {
			if err := out.Printf("%s\n", line); err != nil {
				return err
			}
		}
	}
	return nil
}
