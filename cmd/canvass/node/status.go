package node

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/checker/english"
	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

func (e Env) nodesCommand() *cobra.Command {
	var c client.Daemon
	cmd := &cobra.Command{
		Use:   "status [NODE]",
		Short: "List the daemons of the grid, or show one",
		Long: "Lists the daemons of the grid:\n\n" +
			"  node      its name; C.2 is the second incarnation of C\n" +
			"  phase     of its membership: member, joining, leaving, ...; and whether it is a\n" +
			"            witness, leaves, or has no lease and so runs nothing. \"no answer\": no\n" +
			"            reply within 2 s, it may be alive. \"dead\": the witnesses count it as\n" +
			"            dead, and nothing of it runs; that takes some seconds. \"left\": it has\n" +
			"            left in order; after two minutes it is no longer listed\n" +
			"  cluster   the size of its cluster: a job's tasks start together within one\n" +
			"  tasks     how many it holds, running and waiting\n" +
			"  runs      the attempt whose task it runs, as canvass status ID names it, or -\n" +
			"  cpus      its processors\n" +
			"  endpoint  where other daemons reach it\n" +
			"  zone      its part of the map: it owns the jobs whose places lie there. An\n" +
			"            interval for each dimension: processors, memory in GiB, and a virtual\n" +
			"            one\n\n" +
			"With the name of a node it asks only that node, and shows its whole report. Exit code 7: no such node.",
		ValidArgsFunction: e.Complete(client.NodeNames),
		Example:           "  canvass node status\n  canvass node status C",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && args[0] == "" {
				return cli.Usagef("node status takes the name of one node, or none for all")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return e.Ask(&c, func(ctx context.Context, g *api.Client) error {
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
	e.Flags(&c, cmd)
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
			e.WarnOfSoleWitness(&nodes[i])
			break
		}
	}
	return table(e.Stdout, nodes)
}

// torn describes a defect of the map. The remedy ends all tasks, so other nodes first get time to
// take over the zone of a dead node.
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

// mute describes nodes that do not answer, as far as possible.
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
		"the witnesses\nhave declared them dead, and this daemon is notified."
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
		"and join again with an empty folder.", strings.Join(names, ", "), english.Grouped(api.LastLife))
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
			n.Node, phaseOf(&n), max(1, len(n.Cluster)), n.Queue, client.Dash(n.Running), n.CPUs, n.Endpoint,
			client.Dash(n.Zone))
	}
	return t.Flush()
}

// oneNode prints the report of one node.
func (e Env) oneNode(ctx context.Context, g api.Grid, name string) error {
	r, err := g.Report(ctx, name)
	if err != nil {
		return err
	}
	return e.Stdout.Print(r, func() error {
		if text := mute([]api.NodeReport{r}); text != "" {
			fmt.Fprintln(e.Stderr, text)
		}
		return describeNode(e.Stdout, &r)
	})
}

// describeNode writes a line for each thing that a node says of itself.
func describeNode(w io.Writer, n *api.NodeReport) error {
	t := cli.NewDescription(w)
	line := func(name string, value any) { t.Printf("%s\t%v\n", name, value) }
	line("node", n.Node)
	if n.Error != "" {
		line("phase", n.Error)
		return t.Flush()
	}
	line("name", n.Name)
	line("endpoint", n.Endpoint)
	line("phase", phaseOf(n))
	line("zone", client.Dash(n.Zone))
	line("share", fmt.Sprintf("%.1f %% of the map", 100*n.Share))
	line("cluster", names(n.Cluster))
	line("witnesses", names(n.Witnesses))
	line("lease left", n.LeaseLeft.Round(time.Millisecond))
	line("tasks", n.Queue)
	line("runs", client.Dash(n.Running))
	line("cpus", n.CPUs)
	if n.MemoryGiB > 0 { // a daemon of canvass dev does not say
		line("memory", fmt.Sprintf("%d GiB", n.MemoryGiB))
	}
	line("isolation", n.Isolation)
	line("build", client.Dash(n.Build))
	line("uptime", n.Uptime.Round(time.Second))
	if len(n.Gone) > 0 {
		line("misses", names(n.Gone))
	}
	if n.NoTasks != "" {
		line("takes no tasks", n.NoTasks)
	}
	if c := n.Certificate; c != nil {
		line("certificate", "ends "+c.Ends.Local().Format("2006-01-02 15:04"))
		if c.Warning != "" {
			line("warning", c.Warning)
		}
	}
	for _, what := range n.Exposed {
		line("exposed", what)
	}
	if n.Awaits > 0 {
		line("awaits", fmt.Sprintf("the end of jobs: %d", n.Awaits))
	}
	return t.Flush()
}

// phaseOf is the phase of a node with other conditions.
func phaseOf(n *api.NodeReport) string {
	phase := n.Phase
	if n.LeaseLeft == 0 {
		phase += ", no lease"
	}
	if n.Draining {
		phase += ", leaves"
	}
	if n.NoTasks != "" {
		phase += ", no tasks"
	}
	if n.Witness {
		phase += ", witness"
	}
	return phase
}

func names(ids []protocol.NodeID) string { return client.Dash(strings.Trim(fmt.Sprint(ids), "[]")) }
