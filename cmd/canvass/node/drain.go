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
		Long: "Drains the daemon that is asked, or that of a node. It accepts no new jobs. When the jobs that were\n" +
			"submitted there, and those that it is responsible for, have ended, it accepts no new tasks, lets running\n" +
			"tasks end, hands its zone of the map over, and exits. Then the command returns; for another daemon it\n" +
			"returns some seconds later, when the witnesses count that one as dead. With --deadline the daemon ends at\n" +
			"the latest after that time, as if it were killed.\n\n" +
			"Ctrl-C ends only the command. --off cancels the drain while the daemon waits for jobs. Once it accepts no\n" +
			"tasks it will exit, and can be started again.\n\n" +
			"If only one node would remain, nothing is done without --yes: if that one failed, the map would be lost, and\n" +
			"each job is on a single disk. The last node cannot leave, nor can a node without a lease: stop its daemon.\n\n" +
			"Exit codes: 6 it is exiting already (--off), cannot leave, or only one node would remain; 7 no such node;\n" +
			"9 the node is dead.",
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
	cmd.Flags().BoolVar(&q.Yes, "yes", false, "also if only one node is left then")
	cmd.Flags().BoolVar(&q.Off, "off", false, "take it back: the daemon stays")
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
			back = fmt.Sprintf(". As long as it waits for jobs, canvass node drain --off %v takes this back", leaves)
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
			return fmt.Errorf("the drain of node %v was taken back", id)
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
	return text + "it gives its part of the map away"
}

// drainEvery is how often a daemon that leaves is asked whether it is still there.
const drainEvery = 100 * time.Millisecond
