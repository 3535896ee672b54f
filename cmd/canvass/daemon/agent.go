package daemon

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/node"
)

// The exit codes of an agent.
const (
	exitFenced   = 3
	exitStorage  = 4
	exitIdentity = 5
)

func (e Env) agentCommand() *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "agent --data DIR",
		Short: "Run a daemon in the foreground",
		Long: "Runs the daemon whose identity and configuration are in a folder. It serves users on the socket\n" +
			"api.sock in that folder. SIGINT and SIGTERM end it and the processes that it has started.\n\n" +
			"Exit codes: 0 ended by a signal, 1 failed, 2 usage, 3 fenced (it could not renew its lease: start it\n" +
			"again), 4 storage, 5 no identity.",
		Example: "  canvass agent --data /var/lib/canvass",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if folder == "" {
				return usagef("agent needs the folder of the daemon: --data DIR")
			}
			return e.agent(folder)
		},
	}
	cmd.Flags().StringVar(&folder, "data", "", "folder of the daemon")
	return cmd
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument; see %q", cmd.Name(), cmd.CommandPath()+" --help")
	}
	return nil
}

func (e Env) agent(folder string) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	log := e.logger()
	n, err := node.Open(node.Options{Folder: folder, Binary: binary, Build: e.Build, Log: log})
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = n.Run(ctx)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, disk.ErrInUse), errors.Is(err, disk.ErrSchema):
		log.Error(err.Error())
		return Code(exitStorage)
	case errors.Is(err, node.ErrIdentity):
		log.Error(err.Error())
		return Code(exitIdentity)
	case errors.Is(err, node.ErrFenced):
		log.Error(err.Error())
		return Code(exitFenced)
	}
	return err
}
