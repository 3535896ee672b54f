package node

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/daemon/life"
	"github.com/canvass-grid/canvass/daemon/renewal"
	"github.com/canvass-grid/canvass/daemon/transport"
)

// errNoAuthority says that the daemon cannot let nodes join.
var errNoAuthority = errors.New(
	"this daemon has not the key of the grid's authority; ask the one that canvass node init made")

// admission is the certificate of this node and, where the authority of the grid is, those of
// others.
type admission struct {
	*life.Runtime
	*config.Settings
	authority *identity.Authority // nil: elsewhere
	tokens    *identity.Tokens
	renewal   *renewal.Keeper // of the node's certificate; nil: a simulator runs the node
}

// openAuthority reads the authority of the grid, if it is in the folder of this daemon.
func (a *admission) openAuthority() error {
	authority, err := identity.LoadAuthority(a.Options.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	a.authority = authority
	a.tokens, err = identity.LoadTokens(a.Options.Folder)
	return err
}

// certify makes the certificate of this node valid before its life begins: if need be it waits a
// while for the daemon with the key of the authority.
func (a *admission) certify(ctx context.Context, contacts []transport.Card) error {
	a.renewal = renewal.New(renewal.Config{
		Folder: a.Options.Folder, Identity: a.ID, Authority: a.authority, Clock: a.Clock, Wall: a.Wall, Log: a.Log,
		Ask: func(ctx context.Context, endpoint string, id *identity.Identity) (*identity.Identity, error) {
			return transport.Renew(ctx, transport.RenewConfig{
				Endpoint: endpoint, Identity: id, Wall: a.Wall, Network: transport.TCP{From: net.ParseIP(a.Config.DialFrom)},
			})
		},
	})
	if err := a.renewal.Prepare(ctx, contacts); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", life.ErrIdentity, err)
	}
	return nil
}

// keepCertified renews the certificate of this node whenever it is due, until the life ends.
func (a *admission) keepCertified(ctx context.Context) (end func()) {
	links, is := a.Links.(renewal.Links)
	if !is {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.renewal.Run(ctx, links)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// renewed signs the certificate of another node once more. The authority does not change by that,
// so this does not wait for the node's goroutine.
func (a *admission) renewed(former *x509.Certificate) ([]byte, error) {
	certificate, err := a.authority.Renew(former, a.Wall())
	if err == nil {
		a.Log.Info("the certificate of a node is renewed", "node", former.Subject.CommonName, "ended", former.NotAfter)
	}
	return certificate, err
}

// certificate is how things stand with the certificate of this node; nil if a simulator runs it.
func (a *admission) certificate() *api.Certificate {
	if a.renewal == nil {
		return nil
	}
	s := a.renewal.Standing()
	return &api.Certificate{Ends: s.Ends, Left: s.Left, Warning: s.Warning}
}

// admit decides about a node that wants to join the grid of this daemon's authority. The use of its
// token and its address are durable before it receives a certificate.
func (a *admission) admit(r transport.JoinRequest) (transport.Admission, error) {
	ctx, cancel := context.WithTimeout(context.Background(), admitLimit)
	defer cancel()
	return life.On(ctx, a, func() (given transport.Admission, err error) {
		if err := a.tokens.Redeem(r.Proof, r.Exporter, a.Wall()); err != nil {
			return given, err
		}
		for _, card := range a.Links.Cards() { // its folder may have been set back
			a.authority.Skip(card.Address)
		}
		address, err := a.authority.Next()
		if err != nil {
			return given, err
		}
		if err := errors.Join(a.tokens.Save(a.Options.Folder), a.authority.Save(a.Options.Folder)); err != nil {
			return given, err
		}
		if given.Certificate, err = a.authority.Issue(r.Request, address, a.Wall()); err != nil {
			return given, err
		}
		given.Config, err = json.Marshal(a.Config.Grid)
		a.Log.Info("a node joins", "address", address, "from", r.Remote)
		return given, err
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
	return life.On(ctx, u, func() (api.Token, error) {
		if u.admission.authority == nil {
			return api.Token{}, errNoAuthority
		}
		t := u.admission.authority.NewToken(u.Wall().Add(q.Life))
		u.admission.tokens.Forget(u.Wall())
		if err := u.admission.tokens.Add(t, q.Uses); err != nil {
			return api.Token{}, err
		}
		token := api.Token{Version: api.Version, Text: t.Text(), Expiry: t.Expiry, Uses: q.Uses}
		return token, u.admission.tokens.Save(u.Options.Folder)
	})
}
