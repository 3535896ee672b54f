package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/node"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/given"
	"github.com/canvass-grid/canvass/internal/remedy"
	"github.com/canvass-grid/canvass/internal/wholefile"
	"github.com/canvass-grid/canvass/protocol"
)

// place is where a daemon lives: its folder, and where others reach it.
type place struct {
	data, listen, advertise string
}

func (p *place) flags(out *cli.Output, cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.data, "data", "", "folder of the daemon, which must not have one")
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
		return cli.Usagef("%s needs a place to listen at: --listen HOST:PORT", cmd)
	}
	if err := node.CheckEndpoint(p.listen); err != nil {
		return cli.Usagef("--listen: %v", err)
	}
	if err := node.CheckAdvertised(p.reached()); err != nil {
		if p.advertise == "" {
			return cli.Usagef("--listen: %v; --advertise HOST:PORT says where, if --listen does not", err)
		}
		return cli.Usagef("--advertise: %v", err)
	}
	l, err := net.Listen("tcp", p.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w; %s", err, remedy.Of(err))
	}
	if err := l.Close(); err != nil {
		return err
	}
	if err := node.Resolve(p.reached()); err != nil {
		return fmt.Errorf("--advertise %s: %w; %s", p.reached(), err, remedy.Of(err))
	}
	if there, err := os.ReadDir(p.data); err == nil && len(there) > 0 {
		return fmt.Errorf("the folder %s is not empty; choose another with --data", p.data)
	}
	if err := api.CheckSocket(node.Socket(p.data)); err != nil {
		return cli.Usagef("%v with --data", err)
	}
	if err := os.MkdirAll(p.data, privateMode); err != nil {
		return fmt.Errorf("--data: %w; choose another folder", err)
	}
	if err := os.Chmod(p.data, privateMode); err != nil { // it was there, and empty
		return fmt.Errorf("--data: %w; choose another folder", err)
	}
	if err := wholefile.Ready(filepath.Join(p.data, "config.json")); err != nil {
		return fmt.Errorf("--data %s: %w; choose another folder", p.data, err)
	}
	return nil
}

// privateMode is that of the folder of a daemon: it has keys, and a socket.
const privateMode = 0o700

// reached is where others reach the daemon.
func (p *place) reached() string { return cmp.Or(p.advertise, p.listen) }

func (p *place) config(g node.Grid) node.Config {
	return node.Config{
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

func (e Env) initCommand() *cobra.Command {
	var p place
	var witnesses int
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Create a grid: its authority and its first daemon",
		Long: "Makes the certificate authority of a new grid and the folder of its first daemon, which lets others\n" +
			"join.\n\n" +
			"The first daemons of a grid, as many as --witnesses says, are its witnesses: each daemon works only\n" +
			"while a majority of them answers. With one, nothing works while the first daemon is down. With three,\n" +
			"any one of them can be down; nothing works before the second one has joined. This cannot be changed\n" +
			"later.",
		Example: "  canvass node init --listen hub:7411 --data /var/lib/canvass --witnesses 3\n" +
			"  canvass node agent --data /var/lib/canvass",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if witnesses != 1 && witnesses != 3 && witnesses != 5 {
				return cli.Usagef("--witnesses %d: want 1, 3 or 5", witnesses)
			}
			if err := p.check("init"); err != nil {
				return err
			}
			authority, err := identity.NewGrid(time.Now())
			if err != nil {
				return err
			}
			address, err := authority.Next()
			if err != nil {
				return err
			}
			id, err := authority.Enrol(address, time.Now())
			if err != nil {
				return err
			}
			return e.settled(p, id, p.config(node.DefaultGrid(address, witnesses)), authority.Save)
		},
	}
	cmd.Flags().IntVar(&witnesses, "witnesses", 1, "how many of the first daemons are witnesses: 1, 3 or 5")
	p.flags(e.Stdout, cmd)
	return cmd
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

// settled writes the folder of a daemon, with what else is to be in it, and says what comes next.
func (e Env) settled(p place, id *identity.Identity, c node.Config, others ...func(folder string) error) error {
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

func (e Env) tokenCommand() *cobra.Command {
	var c client
	q := api.TokenQuery{}
	create := &cobra.Command{
		Use:   "create",
		Short: "Make a token with which nodes join, and print it",
		Long: "Makes a token at the daemon that has the key of the authority. A node that has it can join: pass it\n" +
			"on like a password.",
		Example: "  canvass node token create --ttl 1h --uses 20 > token",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if q.Life <= 0 || q.Uses < 1 {
				return cli.Usagef("--ttl %v --uses %d: want a time and a number above 0", q.Life, q.Uses)
			}
			return e.asked(&c, func(ctx context.Context, g *api.Client) error {
				t, err := g.Token(ctx, q)
				if err != nil {
					return err
				}
				return e.Stdout.Print(t, func() error { return e.Stdout.Printf("%s\n", t.Text) })
			})
		},
	}
	create.Flags().DurationVar(&q.Life, "ttl", time.Hour, "how long it is valid")
	create.Flags().IntVar(&q.Uses, "uses", 1, "how many nodes can join with it")
	e.flags(&c, create)
	cmd := &cobra.Command{
		Use: "token", Short: "Create tokens with which nodes join",
		Long:    "Makes tokens with which nodes join the grid.",
		Example: "  canvass node token create --ttl 1h --uses 20",
	}
	return cli.Parent(cmd, create)
}

// joinLimit is how long a node waits for a certificate.
const joinLimit = 30 * time.Second

func (e Env) joinCommand() *cobra.Command {
	var p place
	var from string
	cmd := &cobra.Command{
		Use:   "join HOST:PORT",
		Short: "Enter a grid: get a certificate from one of its daemons",
		Long: "Asks a daemon that has the key of the authority for a certificate, with a token, and makes the " +
			"folder\n" +
			"of a daemon of the grid.",
		Example: "  canvass node join hub:7411 --token - --listen node5:7411 --data /var/lib/canvass < token\n" +
			"  canvass node agent --data /var/lib/canvass",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("join needs the daemon to ask: HOST:PORT of the one that canvass node init made")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := node.CheckAdvertised(args[0]); err != nil {
				return cli.Usagef("the daemon to ask: %v", err)
			}
			if from != "-" {
				if err := cli.NewGuard(e.Stdout, e.Stderr).Reads("--token", from); err != nil {
					return err
				}
			}
			token, err := readToken(from)
			if err != nil {
				return err
			}
			if err := p.check("join"); err != nil {
				return err
			}
			return e.join(p, args[0], token)
		},
	}
	cmd.Flags().StringVar(&from, "token", "-", "file with the token; - is the standard input")
	p.flags(e.Stdout, cmd)
	return cmd
}

// tokenSize bounds the text of a token.
const tokenSize = 4 << 10

func readToken(from string) (identity.Token, error) {
	in := io.Reader(os.Stdin)
	if from != "-" {
		f, err := given.Open(from)
		if err != nil {
			return identity.Token{}, fmt.Errorf("--token: %w; name the file with the token, or - for the standard "+
				"input", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, tokenSize))
	if err != nil {
		return identity.Token{}, fmt.Errorf("--token: %w", err)
	}
	token, err := identity.ParseToken(strings.TrimSpace(string(text)))
	if err != nil {
		return token, fmt.Errorf("--token %s: %w", from, err)
	}
	return token, nil
}

func (e Env) join(p place, contact string, token identity.Token) error {
	key, err := identity.NewKey()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), joinLimit)
	defer cancel()
	joined, err := transport.Join(ctx, transport.JoinConfig{Endpoint: contact, Token: token, Key: key})
	if dial := (*net.OpError)(nil); errors.As(err, &dial) && dial.Op == "dial" {
		return fmt.Errorf("join the grid at %s: no daemon answers there (%w); start that of canvass node init, with "+
			"canvass "+
			"agent, or look at the address", contact, dial.Err)
	}
	if err != nil {
		return err
	}
	g, err := node.ParseGrid(joined.Config)
	if err != nil {
		return err
	}
	c := p.config(g)
	for _, card := range joined.Cards {
		c.Contacts = append(c.Contacts, node.Contact{Address: card.Address, Endpoint: card.Endpoint})
	}
	return e.settled(p, joined.Identity, c)
}
