package daemon

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

	"github.com/canvass-grid/canvass/daemon/disk"
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
	var folder string
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "agent --data DIR",
		Short: "Run a daemon in the foreground",
		Long: "Runs the daemon whose identity and configuration are in a folder. It serves users on the socket\n" +
			"api.sock in that folder.\n\n" +
			"SIGTERM makes it leave the grid: it takes no new tasks, lets those end that run on it, gives its zone\n" +
			"of the map away, and ends. After --shutdown-deadline it ends at the latest, with the processes that\n" +
			"it has started. A second SIGTERM, or SIGINT, ends it at once. It does not wait for jobs that were\n" +
			"handed in there, as canvass drain does: others go on with them, or it does when it is started again.\n\n" +
			"Exit codes: 0 left, or ended by a signal, 1 failed, 2 usage, 3 fenced (it could not renew its lease:\n" +
			"start it again), 4 the folder is in use, or cannot be used, 5 no identity that can be used.",
		Example: "  canvass agent --data /var/lib/canvass",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if folder == "" {
				return usagef("agent needs the folder of the daemon: --data DIR")
			}
			if limit < 0 {
				return usagef("--shutdown-deadline %v: want a time from 0 on", limit)
			}
			return e.agent(folder, limit)
		},
	}
	cmd.Flags().StringVar(&folder, "data", "", "folder of the daemon")
	cmd.Flags().DurationVar(&limit, "shutdown-deadline", 30*time.Second,
		"how long it takes at most to leave after SIGTERM; 0: it ends at once")
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument; see %q", cmd.Name(), cmd.CommandPath()+" --help")
	}
	return nil
}

func (e Env) agent(folder string, limit time.Duration) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	var leaves atomic.Bool
	log := e.logger()
	n, err := node.Open(node.Options{Folder: folder, Binary: binary, Build: e.Build, Log: log, Hung: hung(log)})
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
	case errors.Is(err, node.ErrIdentity), errors.Is(err, disk.ErrOwner):
		log.Error(err.Error())
		return cli.Code(exitIdentity)
	case errors.Is(err, node.ErrFenced) && leaves.Load():
		log.Warn("the life was over before the node had left", "error", err) // others leave, too
		return nil
	case errors.Is(err, node.ErrFenced):
		log.Error(err.Error(), "next", node.FencedNext)
		return cli.Code(exitFenced)
	}
	return err
}

// hung ends the process of a daemon that cannot end by itself. The log may be what it waits for.
func hung(log *slog.Logger) func(error) {
	return func(err error) {
		go log.Error(err.Error(), "next", node.FencedNext)
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
		repeated(signals)
	}()
	return ctx, stop
}
