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

// Commands returns the commands.
func Commands(e Env) []*cobra.Command {
	all := append(e.changes(), []*cobra.Command{
		e.devCommand(), e.initCommand(), e.tokenCommand(), e.joinCommand(), e.agentCommand(),
		e.runCommand(), e.submitCommand(), e.waitCommand(), e.statusCommand(), e.whyCommand(), e.logsCommand(),
		e.lsCommand(), e.getCommand(), e.nodesCommand(), e.drainCommand(), e.repairCommand(), e.eventsCommand(),
		e.custodyCommand(), e.metricsCommand(), e.flightCommand(),
	}...)
	e.completions(all)
	return all
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
