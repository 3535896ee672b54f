package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/internal/nearest"
)

// Env is what the commands need of the program.
type Env struct {
	Stdout, Stderr io.Writer
	Build          string                // version of the program
	Line           func(quiet bool) Line // a line of progress; nil shows none
}

// Line is a line of progress that is shown now and then.
type Line interface {
	Show(text string)
	Clear()
	Every() time.Duration
}

// noLine shows nothing.
type noLine struct{}

func (noLine) Show(string)          {}
func (noLine) Clear()               {}
func (noLine) Every() time.Duration { return time.Hour }

// line is a line of progress.
func (e Env) line() Line {
	if e.Line == nil {
		return noLine{}
	}
	return e.Line(false)
}

// Code ends a command with an exit code and no further message.
type Code int

// Error is never printed.
func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// ExitCode is the code.
func (c Code) ExitCode() int { return int(c) }

// The exit codes of commands that ask a daemon, in addition to those of jobs.
const (
	exitRefused = 6  // the daemon does not take the job
	exitUnknown = 7  // no such job
	exitLost    = 8  // outputs are lost or damaged
	exitOver    = 9  // the job has ended already
	exitCursor  = 30 // the events after a cursor are not kept
)

// UsageError is a mistake on the command line.
type UsageError struct{ Text string }

// Error names the mistake and the remedy.
func (e *UsageError) Error() string { return e.Text }

func usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Commands returns the commands.
func Commands(e Env) []*cobra.Command {
	all := append(e.changes(), []*cobra.Command{
		e.devCommand(), e.initCommand(), e.tokenCommand(), e.joinCommand(), e.agentCommand(),
		e.runCommand(), e.submitCommand(), e.waitCommand(), e.statusCommand(), e.whyCommand(), e.logsCommand(),
		e.lsCommand(), e.getCommand(), e.nodesCommand(), e.drainCommand(), e.repairCommand(), e.eventsCommand(),
		e.custodyCommand(), e.metricsCommand(), e.flightCommand(),
	}...)
	for _, c := range all {
		if c.HasSubCommands() {
			c.Args, c.RunE = cobra.ArbitraryArgs, helpOrUnknown
		}
	}
	return all
}

// helpOrUnknown runs a group of commands as such. Without it cobra prints help for a command that
// is none of the group, and ends with 0.
func helpOrUnknown(group *cobra.Command, args []string) error {
	if len(args) == 0 {
		return group.Help()
	}
	var names []string
	for _, c := range group.Commands() {
		names = append(names, c.Name())
	}
	help := fmt.Sprintf("see %q", group.CommandPath()+" --help")
	return usagef("unknown command %q; %s", group.Name()+" "+args[0], nearest.Meant(args[0], names, help))
}

// client is a flag that names a daemon.
type client struct {
	socket  string
	json    bool
	timeout time.Duration // of the command; 0: none
}

// flags adds the flags that commands have that ask a daemon. Where --timeout is that of a job, the
// command has none.
func (c *client) flags(cmd *cobra.Command) {
	c.timeoutFlag(cmd)
	c.common(cmd)
}

func (c *client) timeoutFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&c.timeout, "timeout", 0, "give up after this time (default: no limit)")
}

// common adds the flags that all commands have that ask a daemon and can write JSON.
func (c *client) common(cmd *cobra.Command) {
	c.socketFlag(cmd)
	cmd.Flags().BoolVar(&c.json, "json", false, "write JSON")
}

func (c *client) socketFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.socket, "socket", "",
		"socket of the daemon to ask (default: CANVASS_SOCKET, or the grid of canvass dev)")
}

// asked runs a command against a daemon. An error of the daemon becomes its exit code.
func (e Env) asked(c *client, f func(ctx context.Context, g *api.Client) error) error {
	g, err := c.grid(e)
	if err != nil {
		return err
	}
	if c.timeout < 0 {
		return usagef("--timeout %v: want a time above 0, or 0 for none", c.timeout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if c.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, c.timeout)
	}
	defer cancel()
	err = f(limited, g)
	switch {
	case err != nil && ctx.Err() != nil:
		return Code(jobs.ExitCancelled) // a signal has ended the command
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("given up after %v (--timeout); what the daemon was asked to do may still happen", c.timeout)
	}
	return e.coded(err)
}

// coded prints an error that has an exit code of its own.
func (e Env) coded(err error) error {
	for _, k := range []struct {
		err  error
		code Code
	}{
		{jobs.ErrSpec, exitRefused}, {jobs.ErrBusy, exitRefused}, {jobs.ErrUnknown, exitUnknown},
		{jobs.ErrAmbiguous, exitUnknown},
		{jobs.ErrOver, exitOver}, {jobs.ErrRuns, exitRefused}, {jobs.ErrKept, exitRefused}, {blobs.ErrLarge, exitRefused},
		{blobs.ErrLost, exitLost}, {blobs.ErrCorrupt, exitLost}, {api.ErrCursor, exitCursor},
	} {
		if errors.Is(err, k.err) {
			fmt.Fprintln(e.Stderr, "canvass:", err)
			return k.code
		}
	}
	return err
}

// print writes a value as JSON.
func (e Env) print(value any) error {
	encoder := json.NewEncoder(e.Stdout)
	return encoder.Encode(value)
}

// printAll writes values as JSON, one a line.
func printAll[T any](e Env, all []T) error {
	for _, value := range all {
		if err := e.print(value); err != nil {
			return err
		}
	}
	return nil
}

// logger writes text on a terminal and JSON elsewhere.
func (e Env) logger() *slog.Logger {
	if f, ok := e.Stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return slog.New(slog.NewTextHandler(e.Stderr, nil))
	}
	return slog.New(slog.NewJSONHandler(e.Stderr, nil))
}
