package node

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

func (e Env) drainCommand() *cobra.Command {
	var c client.Daemon
	var q api.DrainQuery
	cmd := &cobra.Command{
		Use:   "drain [NODE]",
		Short: "Make a daemon leave the grid and end",
		Long: "Drains the daemon that the command asks, or that of NODE. The daemon accepts no new jobs. Once\n" +
			"the jobs that were submitted there, and the jobs it is responsible for, have ended, it accepts\n" +
			"no new tasks, lets running tasks end, hands over its zone of the map, and exits. Then the\n" +
			"command returns; for another daemon, some seconds later, once the witnesses count it as dead.\n" +
			"With --deadline the daemon ends after that time at the latest, as if it were killed.\n\n" +
			"Ctrl-C ends only the command. --off cancels the drain while the daemon waits for jobs. Once it\n" +
			"accepts no more tasks it will exit, and can be started again.\n\n" +
			"A drain that would leave only one node needs --yes: if that node failed, the map would be\n" +
			"lost, and each job would be on a single disk. The last node cannot leave, nor can a node\n" +
			"without a lease: stop its daemon.\n\n" +
			"Exit codes: 6 it is exiting already (--off), cannot leave, or only one node would remain; 7 no\n" +
			"such node; 9 the node is dead.",
		ValidArgsFunction: e.Complete(client.NodeNames),
		Example:           "  canvass node drain --deadline 10m\n  canvass node drain C\n  canvass node drain --off C",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("drain takes one node; canvass node status lists them")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if q.Off && q.Limit > 0 {
				return cli.Usagef("--off takes no --deadline")
			}
			if len(args) == 1 {
				q.Node = args[0]
			}
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
				report, err := g.Drain(ctx, q)
				if err != nil || q.Off {
					return err
				}
				line := cli.NewProgress(e.Stderr, false)
				return left(ctx, g, report.Node, line, line.Every(), e.Stderr)
			})
		},
	}
	cmd.Flags().DurationVar(&q.Limit, "deadline", 0, "end at the latest after this time (default: no limit)")
	cmd.Flags().BoolVar(&q.Yes, "yes", false, "drain even if only one node remains")
	cmd.Flags().BoolVar(&q.Off, "off", false, "cancel a drain: the daemon stays")
	e.Flags(&c, cmd)
	return cmd
}

// lastWitness warns of a node that leaves although the grid rests on it. As long as it waits for
// jobs there is a way back.
func lastWitness(nodes []api.NodeReport, leaves protocol.NodeID) string {
	there, among, back := 0, false, ""
	for _, n := range nodes {
		if n.Witness && n.Error == "" {
			there++
			among = among || n.Node == leaves
		}
		if n.Node == leaves && n.Awaits > 0 {
			back = fmt.Sprintf(". While it waits for jobs, canvass node drain --off %v cancels the drain", leaves)
		}
	}
	if need := (there|1)/2 + 1; among && there-1 < need {
		return fmt.Sprintf("node %v is a witness, and without it too few are left: once it has ended, nothing runs until "+
			"it is started again, or another witness is%s", leaves, back)
	}
	return ""
}

// left waits until a node has left and its daemon has ended, perhaps the very daemon that is asked.
// It shows the reason for waiting, and warns at first if the grid rests on it.
func left(
	ctx context.Context, g api.Grid, id protocol.NodeID, line *cli.Progress, every time.Duration, warnings io.Writer,
) error {
	defer line.Clear()
	for shown, warned := time.Now(), false; ; {
		nodes, err := g.Nodes(ctx)
		if err != nil {
			return ctx.Err() // it has ended, or the user has ended the command
		}
		if text := lastWitness(nodes, id); text != "" && !warned {
			fmt.Fprintln(warnings, "canvass:", text)
		}
		warned = true
		at := slices.IndexFunc(nodes, func(n api.NodeReport) bool { return n.Node == id })
		switch {
		case at < 0, nodes[at].IsOver(): // a later life may be there
			return nil
		case nodes[at].Error == "" && !nodes[at].Draining:
			return fmt.Errorf("the drain of node %v was cancelled", id)
		case time.Since(shown) >= every:
			shown = time.Now()
			line.Show(leaves(&nodes[at]))
		}
		time.Sleep(drainEvery)
	}
}

// leaves describes the reason why a leaving node waits.
func leaves(n *api.NodeReport) string {
	text := fmt.Sprintf("node %v leaves: ", n.Node)
	switch {
	case n.Error != "":
		return fmt.Sprintf("node %v does not answer; waiting until the witnesses count it as dead", n.Node)
	case n.Awaits > 0:
		return text + fmt.Sprintf("it waits for the end of %s, and holds %s", english.Count(n.Awaits, "job"),
			english.Count(n.Queue, "task"))
	case n.Queue > 0:
		return text + fmt.Sprintf("it waits for the end of %s", english.Count(n.Queue, "task"))
	}
	return text + "it is handing over its zone of the map"
}

// drainEvery is how often a daemon that leaves is asked whether it is still there.
const drainEvery = 100 * time.Millisecond
