package daemon

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/protocol"
)

// oneNode tells what one node says of itself.
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
	line("zone", dash(n.Zone))
	line("share", fmt.Sprintf("%.1f %% of the map", 100*n.Share))
	line("cluster", names(n.Cluster))
	line("witnesses", names(n.Witnesses))
	line("lease left", n.LeaseLeft.Round(time.Millisecond))
	line("tasks", n.Queue)
	line("runs", dash(n.Running))
	line("cpus", n.CPUs)
	if n.MemoryGiB > 0 { // a daemon of canvass dev does not say
		line("memory", fmt.Sprintf("%d GiB", n.MemoryGiB))
	}
	line("isolation", n.Isolation)
	line("build", dash(n.Build))
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

// phaseOf is the phase of a node with what else counts.
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

func names(ids []protocol.NodeID) string { return dash(strings.Trim(fmt.Sprint(ids), "[]")) }
