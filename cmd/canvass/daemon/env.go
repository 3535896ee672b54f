package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// Env is what the commands need of the program.
type Env struct {
	Stdout *cli.Output
	Stderr *cli.Messages
	Build  string // version of the program
}

// Jobs returns the commands of those who run jobs.
func Jobs(e Env) []*cobra.Command {
	all := []*cobra.Command{
		e.runCommand(), e.submitCommand(), e.waitCommand(), e.statusCommand(), e.whyCommand(), e.logsCommand(),
		e.lsCommand(), e.getCommand(), e.cancelCommand(), hold(e), release(e), rm(e),
		e.eventsCommand(),
	}
	e.completions(all)
	return all
}

// Grid returns the commands of those who run a grid.
func Grid(e Env) []*cobra.Command {
	node := cli.Parent(&cobra.Command{
		Use:   "node",
		Short: "Set up, inspect and repair the daemons of a grid",
		Long: "These commands are for those who run a grid. The command init creates a grid and the folder of its " +
			"first\n" +
			"daemon; token and join create the folders of the others; agent runs the daemon of a folder.",
		Example: "  hub$    canvass node init --listen hub:7411 --data data\n" +
			"  hub$    canvass node agent --data data\n" +
			"  hub$    canvass node token create > token\n" +
			"  other$  canvass node join hub:7411 --listen other:7411 --data data < token\n" +
			"  other$  canvass node agent --data data",
	},
		e.initCommand(), e.tokenCommand(), e.joinCommand(), e.agentCommand(), e.nodesCommand(), e.drainCommand(),
		e.repairCommand(), e.acceptLossCommand(), e.metricsCommand(), e.flightCommand(),
	)
	e.completions(node.Commands())
	return []*cobra.Command{e.devCommand(), node}
}

// client is a flag that names a daemon.
type client struct {
	socket  string
	timeout time.Duration // of the command; 0: none
}

// flags adds the flags that commands have that ask a daemon. Where --timeout is that of a job, the
// command has none.
func (e Env) flags(c *client, cmd *cobra.Command) {
	c.timeoutFlag(cmd)
	e.common(c, cmd)
}

func (c *client) timeoutFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&c.timeout, "timeout", 0, "give up after this time (default: no limit)")
}

// common adds the flags that all commands have that ask a daemon and can write JSON.
func (e Env) common(c *client, cmd *cobra.Command) {
	c.socketFlag(cmd)
	e.Stdout.JSONFlag(cmd.Flags())
}

func (c *client) socketFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.socket, "socket", "",
		"socket of the daemon to ask (default: CANVASS_SOCKET, or the grid of canvass dev)")
}

// asked runs a command against a daemon. An error of the daemon becomes its exit code.
func (e Env) asked(c *client, f func(ctx context.Context, g *api.Client) error) error {
	if c.timeout < 0 {
		return cli.Usagef("--timeout %v: want a time above 0, or 0 for none", c.timeout)
	}
	g, err := c.grid(e)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	ctx, undelivered := e.Stdout.Context(ctx)
	defer undelivered()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if c.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, c.timeout)
	}
	defer cancel()
	err = untilEnded(ctx, func() error { return f(limited, g) })
	switch {
	case e.Stdout.Err() != nil:
		return e.Stdout.Err()
	case err != nil && ctx.Err() != nil:
		return cli.Code(jobs.ExitCancelled) // a signal has ended the command
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("given up after %v (--timeout); what the daemon was asked to do may still happen", c.timeout)
	}
	return e.coded(err)
}

// coded gives an error of a daemon its exit code.
func (e Env) coded(err error) error {
	if has := (interface{ ExitCode() int })(nil); errors.As(err, &has) {
		return err
	}
	for _, k := range []struct {
		err  error
		code cli.Code
	}{
		{jobs.ErrSpec, cli.CodeRefused}, {jobs.ErrBusy, cli.CodeRefused}, {jobs.ErrUnknown, cli.CodeUnknown},
		{jobs.ErrAmbiguous, cli.CodeUnknown},
		{jobs.ErrOver, cli.CodeOver}, {jobs.ErrRuns, cli.CodeRefused}, {jobs.ErrKept, cli.CodeRefused},
		{blobs.ErrLarge, cli.CodeRefused},
		{blobs.ErrLost, cli.CodeLost}, {blobs.ErrCorrupt, cli.CodeLost}, {api.ErrCursor, cli.CodeCursor},
	} {
		if errors.Is(err, k.err) {
			return cli.WithCode(k.code, err)
		}
	}
	return err
}

// logger writes text on a terminal and JSON elsewhere.
func (e Env) logger() *slog.Logger {
	if e.Stderr.Terminal() {
		return slog.New(slog.NewTextHandler(e.Stderr, nil))
	}
	return slog.New(slog.NewJSONHandler(e.Stderr, nil))
}
