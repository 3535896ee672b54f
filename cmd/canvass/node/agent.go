package node

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/internal/cli"
)

// The exit codes of an agent.
const (
	exitFenced   = local.ExitFenced
	exitStorage  = 4
	exitIdentity = 5
)

func (e Env) agentCommand() *cobra.Command {
	var o config.Options
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "agent --data DIR",
		Short: "Run a daemon in the foreground",
		Long: "Runs the daemon whose identity and configuration are in a folder. It serves users on the\n" +
			"socket api.sock in that folder.\n\n" +
			"On SIGTERM the daemon leaves the grid: it accepts no new tasks, lets running tasks end, hands\n" +
			"over its zone of the map, and exits. After --shutdown-deadline it ends the remaining processes\n" +
			"and exits. A second SIGTERM, or SIGINT, ends it at once. Unlike canvass node drain it does not\n" +
			"wait for jobs that were submitted there: other daemons continue them, or this one does after\n" +
			"its next start.\n\n" +
			"Tasks do not run as root, and see only their working folders in that folder. If root starts\n" +
			"the daemon, each task runs as a separate user, unless --allow-root is given. canvass node\n" +
			"status NODE lists everything that tasks can still reach.\n\n" +
			"Exit codes: 0 left, or ended by a signal; 1 failure; 2 usage error; 3 fenced (it could not\n" +
			"renew its lease: start it again); 4 the folder is in use or cannot be used; 5 no usable\n" +
			"identity.",
		Example: "  canvass node agent --data /var/lib/canvass",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if o.Folder == "" {
				return cli.Usagef("agent needs the folder of the daemon: --data DIR")
			}
			if limit < 0 {
				return cli.Usagef("--shutdown-deadline %v: want a time from 0 on", limit)
			}
			return e.agent(o, limit)
		},
	}
	cmd.Flags().StringVar(&o.Folder, "data", "", "folder of the daemon")
	cmd.Flags().BoolVar(&o.AllowRoot, "allow-root", false, "run tasks as root if the daemon runs as root")
	cmd.Flags().BoolVar(&o.AllowExposed, "allow-exposed", false,
		"take tasks even if they can read the key of the authority")
	cmd.Flags().BoolVar(&o.RequireIsolation, "require-isolation", false,
		"take tasks only if each has a PID namespace, and cannot see\nthe folder")
	cmd.Flags().DurationVar(&limit, "shutdown-deadline", 30*time.Second,
		"longest time to leave the grid after SIGTERM; 0 ends the daemon at once")
	return cmd
}

func (e Env) agent(o config.Options, limit time.Duration) error {
	syscall.Umask(0o077) // its files are for its user alone
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	var leaves atomic.Bool
	log := e.logger()
	o.Binary, o.Build, o.Log, o.Hung = binary, e.Build, log, hung(log)
	n, err := node.Open(o)
	if err == nil {
		ctx, stop := untilSignal(n, limit, &leaves)
		defer stop()
		err = n.Run(ctx)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, disk.ErrInUse), errors.Is(err, disk.ErrSchema), errors.Is(err, disk.ErrStorage):
		log.Error(err.Error())
		return cli.Code(exitStorage)
	case errors.Is(err, life.ErrIdentity), errors.Is(err, disk.ErrOwner):
		log.Error(err.Error())
		return cli.Code(exitIdentity)
	case errors.Is(err, life.ErrFenced) && leaves.Load():
		log.Warn("the incarnation ended before the node had left", "error", err) // others leave, too
		return nil
	case errors.Is(err, life.ErrFenced):
		log.Error(err.Error(), "next", life.FencedNext)
		return cli.Code(exitFenced)
	}
	return err
}

// hung ends the process of a daemon that cannot end by itself. The log may be what it waits for.
func hung(log *slog.Logger) func(error) {
	return func(err error) {
		go log.Error(err.Error(), "next", life.FencedNext)
		time.Sleep(hungPatience)
		os.Exit(exitFenced)
	}
}

const (
	hungPatience = 50 * time.Millisecond // for a line of the log
)

// untilSignal is a context that SIGINT ends, and a second SIGTERM. The first one makes the node
// leave.
func untilSignal(n *node.Node, limit time.Duration, leaves *atomic.Bool) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer stop()
		if <-signals != syscall.SIGTERM || limit == 0 {
			return
		}
		leaves.Store(true)
		go n.Leave(limit)
		client.Repeated(signals)
	}()
	return ctx, stop
}
