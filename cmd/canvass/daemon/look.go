package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

func oneJob(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return cli.Usagef("%s takes the id of one job; canvass status lists them", cmd.Name())
	}
	return nil
}

func (e Env) whyCommand() *cobra.Command {
	var c client
	cmd := &cobra.Command{
		Use:     "why ID",
		Short:   "Explain why a job waits",
		Long:    "Says in sentences why a job waits, the likeliest reason first.",
		Example: "  canvass why b4k2",
		Args:    oneJob,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				why, err := g.Why(ctx, args[0])
				if err != nil {
					return err
				}
				return e.Stdout.Print(why, func() error { return sentences(e.Stdout, why.Reasons) })
			})
		},
	}
	e.flags(&c, cmd)
	return cmd
}

func (e Env) logsCommand() *cobra.Command {
	var c client
	f := follower{Env: e}
	attempt := 0
	cmd := &cobra.Command{
		Use:   "logs ID",
		Short: "Print the output of a job",
		Long: "Prints what the tasks of a job have printed, line by line behind their ranks if there are several.\n" +
			"With --tail N it begins with the last N lines of each stream of each rank. The output of a later\n" +
			"attempt, which -f goes on to, is printed from its beginning. Lines have no times.\n\n" +
			"Of an array it lists the elements that have printed anything, and how much.\n\n" +
			"Output is on the disks of the hosts. Exit codes: 7 no such job, 8 the witnesses count a host as dead,\n" +
			"1 a host does not answer, which may live: canvass node status says so of both.",
		Example: "  canvass logs b4k2\n" +
			"  canvass logs -f --tail 20 b4k2\n" +
			"  canvass logs -f --rank 2 --stderr b4k2",
		Args: oneJob,
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
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				f.grid = g
				if f.follow {
					defer e.notice(ctx, g, waits, named(f.id))()
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
	cmd.Flags().BoolVarP(&f.follow, "follow", "f", false, "go on until the job has ended")
	cmd.Flags().IntVar(&f.rank, "rank", 0, "only of this rank")
	cmd.Flags().BoolVar(&f.errors, "stderr", false, "only the error stream")
	cmd.Flags().IntVar(&f.tail, "tail", -1, "only the last so many lines of each stream (-1: all)")
	cmd.Flags().IntVar(&attempt, "attempt", 0, "of this attempt, from 1 (default: the latest)")
	e.flags(&c, cmd)
	return cmd
}

func (e Env) nodesCommand() *cobra.Command {
	var c client
	cmd := &cobra.Command{
		Use:   "status [NODE]",
		Short: "List the daemons of the grid, or show one",
		Long: "Lists what each daemon says of itself:\n\n" +
			"  node      its name; C.2 is the second life of C\n" +
			"  phase     of its membership: member, joining, leaving, ...; whether it is a witness, leaves, or has\n" +
			"            no lease and so runs nothing. \"no answer\": it has said nothing for 2 s, and may live.\n" +
			"            \"dead\": the witnesses count it as dead, and nothing of it runs; that takes some seconds.\n" +
			"            \"left\": it has left in order; after two minutes it is no longer listed\n" +
			"  cluster   how many nodes its cluster has: a job's tasks start together within one\n" +
			"  tasks     how many it holds: the one that runs, and those that wait\n" +
			"  runs      the attempt whose task it runs, as canvass status ID names it, or -\n" +
			"  cpus      its processors\n" +
			"  endpoint  where other daemons reach it\n" +
			"  zone      its part of the map: it owns the jobs whose places lie there. An interval for each " +
			"dimension:\n" +
			"            processors, memory in GiB, and one without a meaning\n\n" +
			"With the name of a node it asks only that one, and tells all that it says of itself. Exit code 7: no\n" +
			"such node.",
		Example: "  canvass node status\n  canvass node status C",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && args[0] == "" {
				return cli.Usagef("node status takes the name of one node, or none for all")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				if len(args) == 1 {
					return e.oneNode(ctx, g, args[0])
				}
				nodes, err := g.Nodes(ctx)
				if err != nil {
					return err
				}
				return cli.PrintAll(e.Stdout, nodes, func() error { return allNodes(e, nodes) })
			})
		},
	}
	e.flags(&c, cmd)
	return cmd
}

// allNodes writes a line for each node, and above them what is wrong with the grid.
func allNodes(e Env, nodes []api.NodeReport) error {
	if text := torn(nodes); text != "" {
		fmt.Fprintln(e.Stderr, text)
	}
	if text := mute(nodes); text != "" {
		fmt.Fprintln(e.Stderr, text)
	}
	if text := old(nodes); text != "" {
		fmt.Fprintln(e.Stderr, text)
	}
	for _, text := range uncertified(nodes) {
		fmt.Fprintln(e.Stderr, text)
	}
	for i := range nodes {
		if nodes[i].Error == "" { // each has the same to say
			e.warnOfSoleWitness(&nodes[i])
			break
		}
	}
	return table(e.Stdout, nodes)
}

// torn says what is wrong with the map. The remedy costs all that runs, so others have time first
// to take over what a dead node had.
func torn(nodes []api.NodeReport) string {
	switch broken := api.Torn(nodes); {
	case broken == "":
		return ""
	case api.Repairing(nodes):
		return fmt.Sprintf("The map is being repaired after the death of a node: %s.", broken)
	default:
		return fmt.Sprintf("The map is broken: %s.\n"+
			"If that stays so for 20 s, the witnesses have a new map made; canvass node repair --regrid has one "+
			"made now.",
			broken)
	}
}

// mute says what is known of nodes that do not answer, and what is not.
func mute(nodes []api.NodeReport) string {
	var names []string
	for _, n := range nodes {
		if n.Error != "" && !n.IsOver() && n.Error != api.Leaves {
			names = append(names, n.Node.String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ", ") + ": no answer yet. Nodes that have ended or are cut off are shown as dead once " +
		"the witnesses\ncount them as dead, and this daemon knows of it."
}

// old says which nodes have few lives left.
func old(nodes []api.NodeReport) string {
	var names []string
	for _, n := range nodes {
		if n.Node.Incarnation >= api.OldLife {
			names = append(names, n.Node.String())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: a node has %s lives, the number behind its name. Before the last one ends, drain the "+
		"node\n"+
		"and join anew with an empty folder.", strings.Join(names, ", "), english.Grouped(api.LastLife))
}

// uncertified warns of nodes whose certificates are not renewed.
func uncertified(nodes []api.NodeReport) (warnings []string) {
	for _, n := range nodes {
		if c := n.Certificate; c != nil && c.Warning != "" {
			warnings = append(warnings, fmt.Sprintf("Node %v: %s", n.Node, c.Warning))
		}
	}
	return warnings
}

// warnOfSoleWitness warns if a grid of three nodes or more rests on one witness.
func (e Env) warnOfSoleWitness(r *api.NodeReport) {
	if id, is := r.SoleWitness(); is {
		e.Stderr.Printf("Node %v is the only witness: nothing runs while it is down. A grid made by canvass node init "+
			"--witnesses 3\nhas no such node.\n", id)
	}
}

// table writes a line for each node.
func table(w io.Writer, nodes []api.NodeReport) error {
	t := cli.NewTabs(w)
	fmt.Fprintln(t, "node\tphase\tcluster\ttasks\truns\tcpus\tendpoint\tzone")
	for _, n := range nodes {
		if n.Error != "" {
			t.Printf("%v\t%s\t-\t-\t-\t-\t-\t-\n", n.Node, n.Error) // without all cells columns end here
			continue
		}
		t.Printf("%v\t%s\t%d\t%d\t%s\t%d\t%s\t%s\n",
			n.Node, phaseOf(&n), max(1, len(n.Cluster)), n.Queue, dash(n.Running), n.CPUs, n.Endpoint, dash(n.Zone))
	}
	return t.Flush()
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

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
