package node

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/cmd/canvass/client"
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/local"
	"github.com/canvass-grid/canvass/daemon/trash"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
)

const (
	devNodes   = 128
	readyLimit = time.Minute
)

func (e Env) devCommand() *cobra.Command {
	d := dev{Env: e}
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run a grid of daemons on this machine, in one terminal",
		Long: "Starts a grid of daemons on this machine, each a process with its own folder, keys and links.\n" +
			"Other commands find the grid and ask its first daemon; --socket selects another one by the\n" +
			"file api.sock in its folder. With --dir they always need --socket or CANVASS_SOCKET.\n\n" +
			"Ctrl-C ends the grid and removes its processes and files, unless --keep is given. The command\n" +
			"also returns when all its daemons have ended. It neither ends a daemon that you have restarted\n" +
			"by hand nor removes its folder.",
		Example: "  canvass dev --nodes 4\n" +
			"  canvass run -k 3 -- sh -c 'echo $CANVASS_RANK of $CANVASS_SIZE'   # in another terminal",
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if d.nodes < 1 || d.nodes > devNodes {
				return cli.Usagef("--nodes %d: want 1 to %d", d.nodes, devNodes)
			}
			return d.run()
		},
	}
	cmd.Flags().IntVar(&d.nodes, "nodes", 4, "number of daemons, 1 to 128")
	cmd.Flags().BoolVar(&d.keep, "keep", false, "keep the folder at the end")
	e.Stdout.JSONFlag(cmd.Flags())
	cmd.Flags().StringVar(&d.folder, "dir", "",
		"folder of the grid, new or empty (default: a new one in the runtime folder of the user)")
	return cmd
}

// dev is a grid on one machine.
type dev struct {
	Env
	nodes  int
	keep   bool
	folder string
	named  bool // the user has named the folder
	grid   local.Grid
}

func (d *dev) run() (err error) {
	d.named = d.folder != ""
	if !d.named {
		d.folder = filepath.Join(client.RuntimeFolder(), "dev-"+strconv.Itoa(os.Getpid()))
	}
	d.grid = local.Grid{Folder: d.folder, Nodes: d.nodes}
	if err := api.CheckSocket(d.grid.Socket(d.nodes - 1)); err != nil {
		return cli.Usagef("%v with --dir", err)
	}
	if err := d.alone(); err != nil {
		return err
	}
	made, err := makeFolder(d.folder)
	if err != nil {
		return err
	}
	defer func() {
		if !d.keep {
			err = errors.Join(err, d.remove(made))
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), client.EndSignals()...)
	defer stop()
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	d.grid.Binary = binary
	if err := d.grid.Make(); err != nil {
		return err
	}
	defer d.grid.End()
	if err := d.ready(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	return d.watch(ctx)
}

// alone refuses a second grid of this user that other commands would find by themselves: they could
// not choose between the two. It names the remains of former grids.
func (d *dev) alone() error {
	if d.named {
		return nil
	}
	// It is made first, so that no other process makes it after the check.
	failed := os.MkdirAll(client.RuntimeFolder(), privateMode)
	if err := client.OwnFolder(client.RuntimeFolder()); err != nil { // the error names the file that is there instead
		return err
	}
	if failed != nil {
		return fmt.Errorf("%w; %s", failed, client.Elsewhere)
	}
	found, err := fileio.Match(client.RuntimeFolder(), "dev-*")
	if err != nil {
		return err
	}
	for _, folder := range found {
		sockets, err := fileio.Match(folder, "n*/"+filepath.Base(config.Socket("")))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(sockets, client.Answers) {
			return cli.Usagef("this user already runs a grid in %s, which all commands find. For a second one, "+
				"choose a folder with --dir, and name its sockets with --socket or CANVASS_SOCKET", folder)
		}
		d.Stderr.Printf("canvass: %s is left over from a grid that has ended; remove it if you do not need it\n", folder)
	}
	return nil
}

// makeFolder makes a folder, or takes an empty one. It reports whether it has made it.
func makeFolder(name string) (made bool, err error) {
	there, err := os.ReadDir(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(name, 0o700); err != nil {
			return false, fmt.Errorf("%w; choose another folder with --dir", err)
		}
		return true, nil
	case err != nil:
		return false, cli.Usagef("%v; choose another folder with --dir", err)
	case client.Answers((&local.Grid{Folder: name}).Socket(0)):
		return false, fmt.Errorf("a grid runs in %s; choose another folder with --dir", name)
	case len(there) > 0:
		return false, fmt.Errorf("%s is not empty; choose another folder with --dir, or remove it", name)
	}
	return false, nil
}

// remove removes the folders of the daemons, and that of the grid if it was made for it. Daemons
// that were started again by hand keep theirs.
func (d *dev) remove(made bool) (err error) {
	for i := range d.nodes {
		if client.Answers(d.grid.Socket(i)) {
			d.Stderr.Printf("daemon n%d is running but was not started by this command; its folder is kept: %s\n", i+1,
				d.grid.Data(i))
			made = false
			continue
		}
		err = errors.Join(err, trash.Remove(d.grid.Data(i)))
	}
	if made {
		err = errors.Join(err, trash.Remove(d.folder))
	}
	return err
}

// watch reports daemons that end by themselves, until all have ended.
func (d *dev) watch(ctx context.Context) error {
	for d.grid.Running() > 0 {
		select {
		case <-ctx.Done():
			return nil
		case i := <-d.grid.Ended():
			how := d.grid.Gone(i)
			if how.ExitCode() == exitFenced {
				d.Stderr.Printf("daemon n%d has ended: it could not renew its lease; starting it again\n", i+1)
				if err := d.grid.Start(i); err != nil {
					return err
				}
				continue
			}
			d.Stderr.Printf("daemon n%d has ended (%v); start it again with: canvass node agent --data %s\n",
				i+1, how, d.grid.Data(i))
		}
	}
	d.keep = true
	return fmt.Errorf("all daemons have ended; the logs are kept in %s", d.folder)
}

// ready starts the daemons, waits until all are members, and reports them.
func (d *dev) ready(ctx context.Context) error {
	begin := time.Now()
	limit, cancel := context.WithTimeoutCause(ctx, readyLimit, fmt.Errorf("the grid is not ready after %v", readyLimit))
	defer cancel()
	nodes, err := d.grid.Form(limit)
	switch {
	case ctx.Err() != nil: // the user has ended it
		return nil
	case err != nil:
		if limit.Err() != nil {
			err = context.Cause(limit)
		}
		d.keep = true
		return fmt.Errorf("%w; the logs are kept in %s", err, d.folder)
	}
	d.Stderr.Printf("%d daemons are ready after %.1f s, in %s\n", d.nodes, time.Since(begin).Seconds(), d.folder)
	t := &cli.Table{}
	for i, n := range nodes {
		t.Row("  n"+strconv.Itoa(i+1), "node "+n.Node.String(), n.Endpoint, "zone "+n.Zone)
	}
	d.Stderr.Table(t)
	d.Stderr.Printf("Socket of the first one: %s\nLogs: %s\n", d.grid.Socket(0), filepath.Join(d.folder, "n*", "log"))
	if d.named {
		d.Stderr.Printf("Other commands find it by CANVASS_SOCKET=%s\n", d.grid.Socket(0))
	} else {
		d.Stderr.Printf("Other commands of this user find it by themselves.\n")
	}
	fmt.Fprintln(d.Stderr, "Ctrl-C ends the grid.")
	return d.printReady(nodes)
}

// printReady writes as JSON what is ready, if that is wanted.
func (d *dev) printReady(nodes []api.NodeReport) error {
	if !d.Stdout.WantsJSON() {
		return nil
	}
	r := ready{Version: api.Version, Socket: d.grid.Socket(0)}
	for i, n := range nodes {
		r.Daemons = append(r.Daemons, devDaemon{n.Node, n.Endpoint, d.grid.Data(i), d.grid.Socket(i), d.grid.Log(i)})
	}
	return d.Stdout.JSON(r)
}
