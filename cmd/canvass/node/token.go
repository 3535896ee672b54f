package node

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
)

func (e Env) tokenCommand() *cobra.Command {
	var c client.Daemon
	q := api.TokenQuery{}
	create := &cobra.Command{
		Use:   "create",
		Short: "Create a token that lets nodes join, and print it",
		Long: "Creates a token at the daemon that holds the authority's key. Anyone with the token can join\n" +
			"the grid: treat it like a password.",
		Example: "  canvass node token create --ttl 1h --uses 20 > token",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if q.Life <= 0 || q.Uses < 1 {
				return cli.Usagef("--ttl %v --uses %d: want a time and a number above 0", q.Life, q.Uses)
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				t, err := g.Token(ctx, q)
				if err != nil {
					return err
				}
				return e.Stdout.Print(t, func() error { return e.Stdout.Printf("%s\n", t.Text) })
			})
		},
	}
	create.Flags().DurationVar(&q.Life, "ttl", time.Hour, "how long the token is valid")
	create.Flags().IntVar(&q.Uses, "uses", 1, "how many nodes can join with the token")
	e.Flags(&c, create)
	cmd := &cobra.Command{
		Use: "token", Short: "Create tokens that let nodes join",
		Long:    "Creates tokens that let nodes join the grid.",
		Example: "  canvass node token create --ttl 1h --uses 20",
	}
	return cli.Parent(cmd, create)
}
