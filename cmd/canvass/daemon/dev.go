package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/node"
)

const (
	devNodes   = 128
	readyLimit = time.Minute
	endGrace   = 5 * time.Second
)

func (e Env) devCommand() *cobra.Command {
	d := dev{Env: e}
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run a grid of real daemons on this machine, in one terminal",
		Long: "Starts daemons on this machine: processes of their own, with keys, data folders and links of their\n" +
			"own. Other commands find the grid by themselves. Ctrl-C ends all of it, and leaves no process and no\n" +
			"file behind, unless --keep is given.",
		Example: "  canvass dev --nodes 4\n" +
			"  canvass run -k 3 -- sh -c 'echo $CANVASS_RANK of $CANVASS_SIZE'   # in another terminal",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if d.nodes < 1 || d.nodes > devNodes {
				return usagef("--nodes %d: want 1 to %d", d.nodes, devNodes)
			}
			return d.run()
		},
	}
	cmd.Flags().IntVar(&d.nodes, "nodes", 4, "how many daemons, 1 to 128")
	cmd.Flags().BoolVar(&d.keep, "keep", false, "keep the folder at the end")
	cmd.Flags().StringVar(&d.folder, "dir", "",
		"folder of the grid (default: one of its own, in the runtime folder of the user)")
	return cmd
}

// dev is a grid on one machine.
type dev struct {
	Env
	nodes  int
	keep   bool
	folder string

	agents []*exec.Cmd
	ended  chan int // which agent has ended
	gone   int      // how many have
}

func (d *dev) run() (err error) {
	if d.folder == "" {
		d.folder = filepath.Join(runtimeFolder(), "dev-"+strconv.Itoa(os.Getpid()))
	}
	if _, err := os.Stat(d.folder); err == nil {
		return usagef("%s exists; choose another folder with --dir, or remove it", d.folder)
	}
	if err := os.MkdirAll(d.folder, 0o700); err != nil {
		return err
	}
	defer func() {
		if !d.keep {
			err = errors.Join(err, os.RemoveAll(d.folder))
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := d.make(); err != nil {
		return err
	}
	defer d.end()
	if err := d.start(); err != nil {
		return err
	}
	if err := d.ready(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	return d.watch(ctx)
}

// watch tells about daemons that end by themselves, until none is left.
func (d *dev) watch(ctx context.Context) error {
	for d.gone < d.nodes {
		select {
		case <-ctx.Done():
			return nil
		case i := <-d.ended:
			d.gone++
			fmt.Fprintf(d.Stderr, "daemon n%d has ended (%v); this starts it again: canvass agent --data %s\n",
				i+1, d.agents[i].ProcessState, d.data(i))
		}
	}
	d.keep = true
	return fmt.Errorf("all daemons have ended; the logs are kept in %s", d.folder)
}

// lost says that a daemon has ended before the grid was ready.
func (d *dev) lost(i int) error {
	d.gone++
	return fmt.Errorf("daemon n%d has ended (%v); its log is %s", i+1, d.agents[i].ProcessState, d.log(i))
}

func (d *dev) data(i int) string { return filepath.Join(d.folder, "n"+strconv.Itoa(i+1)) }
func (d *dev) log(i int) string  { return filepath.Join(d.data(i), "log") }

// make makes a certificate authority and a folder for each daemon.
func (d *dev) make() error {
	authority, err := identity.NewGrid(time.Now())
	if err != nil {
		return err
	}
	first, err := freeEndpoint()
	if err != nil {
		return err
	}
	var contacts []node.Contact
	for i := range d.nodes {
		address, err := authority.Next()
		if err != nil {
			return err
		}
		id, err := authority.Enrol(address, time.Now())
		if err != nil {
			return err
		}
		if err := os.MkdirAll(d.data(i), 0o700); err != nil {
			return err
		}
		if err := id.Save(d.data(i)); err != nil {
			return err
		}
		c := node.Config{
			Listen: "127.0.0.1:0", Contacts: contacts, CPUs: runtime.NumCPU(), Grid: node.DefaultGrid(),
		}
		if i == 0 {
			c.Listen, c.Founder = first, true
			contacts = []node.Contact{{Address: address, Endpoint: first}}
		}
		if err := c.Save(d.data(i)); err != nil {
			return err
		}
	}
	return nil
}

// freeEndpoint is a port of this machine that nobody uses now.
func freeEndpoint() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// start starts the daemons. They get no signal of the terminal, and end with this process.
func (d *dev) start() error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	d.ended = make(chan int, d.nodes)
	for i := range d.nodes {
		log, err := os.Create(d.log(i))
		if err != nil {
			return err
		}
		agent := exec.Command(binary, "agent", "--data", d.data(i))
		agent.Stdout, agent.Stderr = log, log
		agent.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		begun := make(chan error)
		go func() {
			runtime.LockOSThread() // the signal comes when the thread that started the process ends
			err := agent.Start()
			begun <- err
			if err == nil {
				_ = agent.Wait() // its state says how it has ended
				d.ended <- i
			}
			_ = log.Close()
		}()
		if err := <-begun; err != nil {
			return fmt.Errorf("starting daemon n%d: %w", i+1, err)
		}
		d.agents = append(d.agents, agent)
	}
	return nil
}

// ready waits until all daemons are members, and tells about them.
func (d *dev) ready(ctx context.Context) error {
	begin := time.Now()
	limit, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	grid := api.NewClient(node.Socket(d.data(0)))
	for {
		nodes, err := grid.Nodes(limit)
		if err == nil && formed(nodes, d.nodes) {
			fmt.Fprintf(d.Stderr, "%d daemons are ready after %.1f s; socket %s\n",
				d.nodes, time.Since(begin).Seconds(), node.Socket(d.data(0)))
			for i, n := range nodes {
				fmt.Fprintf(d.Stderr, "  n%d  node %v  %s  zone %s  log %s\n", i+1, n.Node, n.Endpoint, n.Zone, d.log(i))
			}
			fmt.Fprintln(d.Stderr, "Ctrl-C ends the grid.")
			return nil
		}
		select {
		case <-limit.Done():
			return d.failure(ctx, fmt.Errorf("the grid is not ready after %v", readyLimit))
		case i := <-d.ended:
			return d.failure(ctx, d.lost(i))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// failure keeps the logs of a grid that did not come up, unless the user ended it.
func (d *dev) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	d.keep = true
	return fmt.Errorf("%w; the logs are kept in %s", err, d.folder)
}

// formed reports whether all daemons are members, and in a cluster with others.
func formed(nodes []api.NodeReport, want int) bool {
	if len(nodes) < want {
		return false
	}
	for _, n := range nodes {
		if n.Error != "" || n.Zone == "" || want > 1 && len(n.Cluster) < min(want, node.DefaultGrid().ClusterSize) {
			return false
		}
	}
	return true
}

// end ends all daemons, and waits for them.
func (d *dev) end() {
	for _, a := range d.agents {
		_ = a.Process.Signal(syscall.SIGTERM) // it may have ended
	}
	late := time.After(endGrace)
	for range len(d.agents) - d.gone {
		select {
		case <-d.ended:
		case <-late:
			for _, a := range d.agents {
				_ = a.Process.Kill()
			}
			return
		}
	}
}
