package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/protocol"
)

func (e Env) eventsCommand() *cobra.Command {
	var c client
	var follow bool
	var after uint64
	var job, of, node string
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Print what has happened at a daemon",
		Long: "Prints the events of a daemon since it began, numbered: of jobs, and of the cores peer, muster and\n" +
			"custody. Without --node it is the daemon that is asked. The latest 50,000 at least are kept. Each\n" +
			"life of a daemon counts from 1.\n\n" +
			"Exit codes: 30 the events after --after are not kept, or this life of the daemon has not come to it.",
		Example: "  canvass events --kind job\n" +
			"  canvass events -f --after 1200\n" +
			"  canvass events --node C",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if of != "" && !slices.Contains(api.EventKinds(), of) {
				return usagef("--kind %s: want one of %s", of, strings.Join(api.EventKinds(), ", "))
			}
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				for {
					some, err := eventsOf(ctx, g, node, after, follow)
					if err != nil {
						return interrupted(ctx, err)
					}
					for _, event := range some {
						after = event.Cursor
						if (job == "" || strings.HasPrefix(event.Job, job)) && (of == "" || event.Kind == of) {
							if err := e.event(event, c.json); err != nil {
								return err
							}
						}
					}
					if !follow {
						return nil
					}
				}
			})
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on without end")
	cmd.Flags().Uint64Var(&after, "after", 0, "only events after this one")
	cmd.Flags().StringVar(&job, "job", "", "only those that name this job")
	cmd.Flags().StringVar(&node, "node", "", "of this node")
	cmd.Flags().StringVar(&of, "kind", "", "only of this kind: "+strings.Join(api.EventKinds(), ", "))
	c.flags(cmd)
	return cmd
}

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

func (e Env) event(event api.Event, asJSON bool) error {
	if asJSON {
		return e.print(event)
	}
	job := ""
	if event.Job != "" {
		job = " " + event.Job
	}
	_, err := fmt.Fprintf(e.Stdout, "%d %s %v %s%s %s\n",
		event.Cursor, clockOf(event.At), protocol.NodeID(event.Node), event.Kind, job, event.Text)
	return err
}
