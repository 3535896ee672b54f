package client

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/cli"
)

// Env has the commands' access to the program.
type Env struct {
	Stdout *cli.Output
	Stderr *cli.Messages
	Build  string // version of the program
}

// Daemon is which daemon a command asks, and for how long.
type Daemon struct {
	socket  string
	timeout time.Duration // of the command; 0: none
}

// Flags adds the flags that commands have that ask a daemon. Where --timeout is that of a job, the
// command has none.
func (e Env) Flags(c *Daemon, cmd *cobra.Command) {
	c.TimeoutFlag(cmd)
	e.Common(c, cmd)
}

// TimeoutFlag adds the flag that limits the time of the command.
func (c *Daemon) TimeoutFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&c.timeout, "timeout", 0, "give up after this time (default: no limit)")
}

// Common adds the flags that all commands have that ask a daemon and can write JSON.
func (e Env) Common(c *Daemon, cmd *cobra.Command) {
	c.SocketFlag(cmd)
	e.Stdout.JSONFlag(cmd.Flags())
}

// SocketFlag adds the flag that names the daemon.
func (c *Daemon) SocketFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.socket, "socket", "",
		"socket of the daemon to ask (default: CANVASS_SOCKET, or the grid of canvass dev)")
}

// Ask runs a command against a daemon. An error of the daemon becomes its exit code.
func (e Env) Ask(c *Daemon, f func(ctx context.Context, g *api.Client) error) error {
	if c.timeout < 0 {
		return cli.Usagef("--timeout %v: want a time above 0, or 0 for no limit", c.timeout)
	}
	g, err := c.Grid(e)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), EndSignals()...)
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
		return fmt.Errorf("given up after %v (--timeout); the request may still take effect", c.timeout)
	}
	return e.Coded(err)
}

// Coded gives an error of a daemon its exit code.
func (e Env) Coded(err error) error {
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

// WarnOfSoleWitness warns if a grid of three nodes or more rests on one witness.
func (e Env) WarnOfSoleWitness(r *api.NodeReport) {
	if id, is := r.SoleWitness(); is {
		e.Stderr.Printf("Node %v is the only witness: nothing runs while it is down. A grid made by canvass node init "+
			"--witnesses 3\nhas no such node.\n", id)
	}
}
