package node

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/renewal"
	"github.com/canvass-grid/canvass/daemon/transport"
)

// errNoAuthority says that the daemon cannot let nodes join.
var errNoAuthority = errors.New(
	"this daemon has not the key of the grid's authority; ask the one that canvass node init made")

// openAuthority reads the authority of the grid, if it is in the folder of this daemon.
func (n *Node) openAuthority() error {
	authority, err := identity.LoadAuthority(n.options.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n.authority = authority
	n.tokens, err = identity.LoadTokens(n.options.Folder)
	return err
}

// certify makes the certificate of this node valid before its life begins: if need be it waits a
// while for the daemon with the key of the authority.
func (n *Node) certify(ctx context.Context) error {
	n.renewal = renewal.New(renewal.Config{
		Folder: n.options.Folder, Identity: n.id, Authority: n.authority, Clock: n.clock, Wall: n.wall, Log: n.log,
		Ask: func(ctx context.Context, endpoint string, id *identity.Identity) (*identity.Identity, error) {
			return transport.Renew(ctx, transport.RenewConfig{
				Endpoint: endpoint, Identity: id, Wall: n.wall, Network: n.network(),
			})
		},
	})
	if err := n.renewal.Prepare(ctx, n.contacts()); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", ErrIdentity, err)
	}
	return nil
}

// keepCertified renews the certificate of this node whenever it is due, until the life ends.
func (n *Node) keepCertified(ctx context.Context) (end func()) {
	links, is := n.links.(renewal.Links)
	if !is {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		n.renewal.Run(ctx, links)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// renewed signs the certificate of another node once more. The authority does not change by that,
// so this does not wait for the node's goroutine.
func (n *Node) renewed(former *x509.Certificate) ([]byte, error) {
	certificate, err := n.authority.Renew(former, n.wall())
	if err == nil {
		n.log.Info("the certificate of a node is renewed", "node", former.Subject.CommonName, "ended", former.NotAfter)
	}
	return certificate, err
}

// certificate is how things stand with the certificate of this node; nil if a simulator runs it.
func (n *Node) certificate() *api.Certificate {
	if n.renewal == nil {
		return nil
	}
	s := n.renewal.Standing()
	return &api.Certificate{Ends: s.Ends, Left: s.Left, Warning: s.Warning}
}

// admit decides about a node that wants to join the grid of this daemon's authority. The use of its
// token and its address are durable before it receives a certificate.
func (n *Node) admit(r transport.JoinRequest) (transport.Admission, error) {
	ctx, cancel := context.WithTimeout(context.Background(), admitLimit)
	defer cancel()
	return on(ctx, n, func() (a transport.Admission, err error) {
		if err := n.tokens.Redeem(r.Proof, r.Exporter, n.wall()); err != nil {
			return a, err
		}
		for _, card := range n.links.Cards() { // its folder may have been set back
			n.authority.Skip(card.Address)
		}
		address, err := n.authority.Next()
		if err != nil {
			return a, err
		}
		if err := errors.Join(n.tokens.Save(n.options.Folder), n.authority.Save(n.options.Folder)); err != nil {
			return a, err
		}
		if a.Certificate, err = n.authority.Issue(r.Request, address, n.wall()); err != nil {
			return a, err
		}
		a.Config, err = json.Marshal(n.config.Grid)
		n.log.Info("a node joins", "address", address, "from", r.Remote)
		return a, err
	})
}

const admitLimit = 5 * time.Second

// The bounds of tokens.
const (
	tokenLife = 30 * 24 * time.Hour
	tokenUses = 10_000
)

// Token makes a token with which nodes join.
func (u users) Token(ctx context.Context, q api.TokenQuery) (api.Token, error) {
	switch {
	case q.Life <= 0 || q.Life > tokenLife:
		return api.Token{}, fmt.Errorf("%w: a token lives up to %v", jobs.ErrSpec, tokenLife)
	case q.Uses < 1 || q.Uses > tokenUses:
		return api.Token{}, fmt.Errorf("%w: a token has 1 to %d uses", jobs.ErrSpec, tokenUses)
	}
	return on(ctx, u.Node, func() (api.Token, error) {
		if u.authority == nil {
			return api.Token{}, errNoAuthority
		}
		t := u.authority.NewToken(u.wall().Add(q.Life))
		u.tokens.Forget(u.wall())
		if err := u.tokens.Add(t, q.Uses); err != nil {
			return api.Token{}, err
		}
		token := api.Token{Version: api.Version, Text: t.Text(), Expiry: t.Expiry, Uses: q.Uses}
		return token, u.tokens.Save(u.options.Folder)
	})
}
