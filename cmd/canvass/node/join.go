package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// joinLimit is how long a node waits for a certificate.
const joinLimit = 30 * time.Second

func (e Env) joinCommand() *cobra.Command {
	var p place
	var from string
	cmd := &cobra.Command{
		Use:   "join HOST:PORT",
		Short: "Enter a grid: get a certificate from one of its daemons",
		Long: "Presents a token to the daemon that holds the authority's key, receives a certificate, and\n" +
			"creates the folder of a new daemon.",
		Example: "  canvass node join hub:7411 --token - --listen node5:7411 --data /var/lib/canvass < token\n" +
			"  canvass node agent --data /var/lib/canvass",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("join needs the HOST:PORT of the daemon that canvass node init created")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := config.CheckAdvertised(args[0]); err != nil {
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
	cmd.Flags().StringVar(&from, "token", "-", "file with the token; - means standard input")
	p.flags(e.Stdout, cmd)
	return cmd
}

// tokenSize bounds the text of a token.
const tokenSize = 4 << 10

func readToken(from string) (identity.Token, error) {
	in := io.Reader(os.Stdin)
	if from != "-" {
		f, err := fileio.Open(from)
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
			"canvass node agent, or correct the address", contact, dial.Err)
	}
	if err != nil {
		return err
	}
	g, err := config.ParseGrid(joined.Config)
	if err != nil {
		return err
	}
	c := p.config(g)
	for _, card := range joined.Cards {
		c.Contacts = append(c.Contacts, config.Contact{Address: card.Address, Endpoint: card.Endpoint})
	}
	return e.settled(p, joined.Identity, c)
}
