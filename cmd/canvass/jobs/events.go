package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

func (e Env) eventsCommand() *cobra.Command {
	var c client.Daemon
	v := eventView{Env: e}
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Print the events of a daemon, and follow them",
		Long: "Prints the numbered events of jobs at a daemon since its start; --kind selects events of the\n" +
			"cores peer, muster and custody instead, or all. --node selects the daemon. A daemon keeps at\n" +
			"least its latest 50,000 events, and counts from 1 again after a restart.\n\n" +
			"Exit codes: 30 the events after --after have expired, or the daemon has restarted and its\n" +
			"numbering is behind --after.",
		Example: "  canvass events --kind all\n" +
			"  canvass events -f --after 1200\n" +
			"  canvass events --node C",
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if v.kind != allKinds && !slices.Contains(api.EventKinds(), v.kind) {
				return cli.Usagef("--kind %q: want one of %s or %s", v.kind, strings.Join(api.EventKinds(), ", "),
					allKinds)
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				defer e.Stdout.Watch()()
				return v.print(ctx, g)
			})
		},
	}
	cmd.Flags().BoolVarP(&v.follow, "follow", "f", false, "keep printing new events")
	cmd.Flags().Uint64Var(&v.after, "after", 0, "print only events after this number")
	cmd.Flags().StringVar(&v.job, "job", "", "print only events of this job")
	cmd.Flags().StringVar(&v.node, "node", "", "print the events of this node")
	cmd.Flags().StringVar(&v.kind, "kind", "job",
		"print events of this kind: "+strings.Join(api.EventKinds(), ", ")+" or "+allKinds)
	e.Flags(&c, cmd)
	return cmd
}

// eventView is which events are printed, and how.
type eventView struct {
	Env
	follow          bool
	after           uint64
	job, node, kind string // empty: any, of the daemon that is asked; allKinds: any
}

func (v *eventView) print(ctx context.Context, g api.Grid) error {
	for {
		some, err := eventsOf(ctx, g, v.node, v.after, v.follow)
		if err != nil {
			return interrupted(ctx, err)
		}
		for _, event := range some {
			v.after = event.Cursor
			if !strings.HasPrefix(event.Job, v.job) || v.kind != allKinds && event.Kind != v.kind {
				continue
			}
			if err := v.event(event); err != nil {
				return err
			}
		}
		if !v.follow {
			return nil
		}
	}
}

// allKinds stands for the events of every kind.
const allKinds = "all"

// distantEvery is how often another daemon is asked for its next events.
const distantEvery = 500 * time.Millisecond

// eventsOf returns the events of a node after a cursor, of the daemon that is asked if it has no
// name. If wait is set it returns when there are some, or, of another daemon, after a while.
func eventsOf(ctx context.Context, g api.Grid, node string, after uint64, wait bool) ([]api.Event, error) {
	if node == "" {
		return g.Events(ctx, after, wait)
	}
	some, err := g.EventsOf(ctx, node, after)
	if err != nil || !wait || len(some) > 0 {
		return some, err
	}
	select {
	case <-time.After(distantEvery):
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// interrupted forgives an error that the user has caused by ending the command.
func interrupted(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return err
}

func (e Env) event(event api.Event) error {
	return e.Stdout.Print(event, func() error {
		job := ""
		if event.Job != "" {
			job = " " + event.Job
		}
		return e.Stdout.Printf("%d %s %v %s%s %s\n",
			event.Cursor, client.ClockOf(event.At), protocol.NodeID(event.Node), event.Kind, job, event.Text)
	})
}
