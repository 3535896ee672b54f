package node

import (
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/internal/cli"
)

// Env is the program as the commands of this package see it.
type Env struct{ client.Env }

// Commands returns the command dev, and the group node.
func Commands(program client.Env) []*cobra.Command {
	e := Env{program}
	node := cli.Parent(&cobra.Command{
		Use:   "node",
		Short: "Set up, inspect and repair the daemons of a grid",
		Long: "These commands are for those who run a grid. The command init creates a grid and the folder of its\n" +
			"first daemon; token and join create the folders of the others; agent runs the daemon of a folder.",
		Example: "  hub$    canvass node init --listen hub:7411 --data data\n" +
			"  hub$    canvass node agent --data data\n" +
			"  hub$    canvass node token create > token\n" +
			"  other$  canvass node join hub:7411 --listen other:7411 --data data < token\n" +
			"  other$  canvass node agent --data data",
	},
		e.initCommand(), e.tokenCommand(), e.joinCommand(), e.agentCommand(), e.nodesCommand(), e.drainCommand(),
		e.repairCommand(), e.acceptLossCommand(), e.metricsCommand(), e.flightCommand(),
	)
	return []*cobra.Command{e.devCommand(), node}
}

// logger writes text on a terminal and JSON elsewhere.
func (e Env) logger() *slog.Logger {
	if e.Stderr.Terminal() {
		return slog.New(slog.NewTextHandler(e.Stderr, nil))
	}
	return slog.New(slog.NewJSONHandler(e.Stderr, nil))
}
