package node

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/protocol"
)

// place is where a daemon lives: its folder, and where others reach it.
type place struct {
	data, listen, advertise string
}

func (p *place) flags(out *cli.Output, cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.data, "data", "", "folder for the daemon, new or empty")
	cmd.Flags().StringVar(&p.listen, "listen", "", "host:port on which the daemon listens for others")
	out.JSONFlag(cmd.Flags())
	cmd.Flags().StringVar(&p.advertise, "advertise", "", "host:port where others reach it (default: that of --listen)")
}

// check demands what is needed, and a folder without a daemon.
func (p *place) check(cmd string) error {
	switch {
	case p.data == "":
		return cli.Usagef("%s needs a folder for the daemon: --data DIR", cmd)
	case p.listen == "":
		return cli.Usagef("%s needs an address to listen on: --listen HOST:PORT", cmd)
	}
	if err := config.CheckEndpoint(p.listen); err != nil {
		return cli.Usagef("--listen: %v", err)
	}
	if err := config.CheckAdvertised(p.reached()); err != nil {
		if p.advertise == "" {
			return cli.Usagef("--listen: %v; give an address that others can reach with --advertise HOST:PORT", err)
		}
		return cli.Usagef("--advertise: %v", err)
	}
	l, err := net.Listen("tcp", p.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w; %s", err, fileio.Remedy(err))
	}
	if err := l.Close(); err != nil {
		return err
	}
	if err := config.Resolve(p.reached()); err != nil {
		return fmt.Errorf("--advertise %s: %w; %s", p.reached(), err, fileio.Remedy(err))
	}
	if there, err := os.ReadDir(p.data); err == nil && len(there) > 0 {
		return fmt.Errorf("the folder %s is not empty; choose another with --data", p.data)
	}
	if err := api.CheckSocket(config.Socket(p.data)); err != nil {
		return cli.Usagef("%v with --data", err)
	}
	if err := os.MkdirAll(p.data, privateMode); err != nil {
		return fmt.Errorf("--data: %w; choose another folder", err)
	}
	if err := os.Chmod(p.data, privateMode); err != nil { // it was there, and empty
		return fmt.Errorf("--data: %w; choose another folder", err)
	}
	if err := fileio.Ready(filepath.Join(p.data, "config.json")); err != nil {
		return fmt.Errorf("--data %s: %w; choose another folder", p.data, err)
	}
	return nil
}

// privateMode is that of the folder of a daemon: it has keys, and a socket.
const privateMode = 0o700

// reached is where others reach the daemon.
func (p *place) reached() string { return cmp.Or(p.advertise, p.listen) }

func (p *place) config(g config.Grid) config.Config {
	return config.Config{
		Listen: p.listen, Advertise: p.reached(), CPUs: runtime.NumCPU(), MemoryGiB: memoryGiB(), Grid: g,
	}
}

// memoryGiB is the memory of this machine, rounded down.
func memoryGiB() int {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var kib int
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kib); err != nil {
		return 0
	}
	return kib >> 20
}

// whole writes the folder of a daemon, which was empty, with all that these functions write, or
// leaves it empty.
func (p *place) whole(saves ...func(folder string) error) error {
	for _, save := range saves {
		if err := save(p.data); err != nil {
			all, _ := os.ReadDir(p.data) // it was made, or read, just before
			for _, file := range all {
				err = errors.Join(err, os.RemoveAll(filepath.Join(p.data, file.Name())))
			}
			return err
		}
	}
	return nil
}

// settled writes the folder of a daemon, with its other files, and prints the next step.
func (e Env) settled(p place, id *identity.Identity, c config.Config, others ...func(folder string) error) error {
	if err := p.whole(append(others, id.Save, c.Save)...); err != nil {
		return err
	}
	m := made{
		Version: api.Version, Node: protocol.NodeID{Address: id.Address, Incarnation: 1}, Name: string(id.Name),
		Grid: fmt.Sprint(id.Grid), Data: p.data, Endpoint: c.Advertise,
		Witness: slices.Contains(c.Grid.Witnesses, id.Address),
	}
	what := "node"
	if m.Witness {
		what = "witness"
	}
	e.Stderr.Printf("%s %s of grid %s; start it with: canvass node agent --data %s\n", what, m.Name, m.Grid, p.data)
	return e.Stdout.Print(m, func() error { return nil })
}
