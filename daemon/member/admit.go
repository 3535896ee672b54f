package member

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
	"this daemon does not have the key of the grid's authority; ask the daemon that canvass node init made")

// Admission is the certificate of this node and, where the authority of the grid is, those of
// others.
type Admission struct {
	*life.Runtime
	*config.Settings
	Authority *identity.Authority // nil: elsewhere
	tokens    *identity.Tokens
	Renewal   *renewal.Keeper // of the node's certificate; nil: a simulator runs the node
}

// OpenAuthority reads the authority of the grid, if it is in the folder of this daemon.
func (a *Admission) OpenAuthority() error {
	authority, err := identity.LoadAuthority(a.Options.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	a.Authority = authority
	a.tokens, err = identity.LoadTokens(a.Options.Folder)
	return err
}

// Certify makes the certificate of this node valid before its incarnation begins: if necessary it
// waits for the daemon with the key of the authority.
func (a *Admission) Certify(ctx context.Context, contacts []transport.Card) error {
	a.Renewal = renewal.New(renewal.Config{
		Folder: a.Options.Folder, Identity: a.ID, Authority: a.Authority, Clock: a.Clock, Wall: a.Wall, Log: a.Log,
		Ask: func(ctx context.Context, endpoint string, id *identity.Identity) (*identity.Identity, error) {
			return transport.Renew(ctx, transport.RenewConfig{
				Endpoint: endpoint, Identity: id, Wall: a.Wall, Network: transport.TCP{From: net.ParseIP(a.Config.DialFrom)},
			})
		},
	})
	if err := a.Renewal.Prepare(ctx, contacts); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", life.ErrIdentity, err)
	}
	return nil
}

// KeepCertified renews the certificate of this node whenever it is due, until the life ends.
func (a *Admission) KeepCertified(ctx context.Context) (end func()) {
	links, is := a.Links.(renewal.Links)
	if !is {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.Renewal.Run(ctx, links)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// Renew signs the certificate of another node once more. The authority does not change by that,
// so this does not wait for the node's goroutine.
func (a *Admission) Renew(former *x509.Certificate) ([]byte, error) {
	certificate, err := a.Authority.Renew(former, a.Wall())
	if err == nil {
		a.Log.Info("the certificate of a node is renewed", "node", former.Subject.CommonName, "ended", former.NotAfter)
	}
	return certificate, err
}

// Certificate is how things stand with the certificate of this node; nil if a simulator runs it.
func (a *Admission) Certificate() *api.Certificate {
	if a.Renewal == nil {
		return nil
	}
	s := a.Renewal.Standing()
	return &api.Certificate{Ends: s.Ends, Left: s.Left, Warning: s.Warning}
}

// Admit decides about a node that wants to join the grid of this daemon's authority. The use of its
// token and its address are durable before it receives a certificate.
func (a *Admission) Admit(r transport.JoinRequest) (transport.Admission, error) {
	ctx, cancel := context.WithTimeout(context.Background(), admitLimit)
	defer cancel()
	return life.On(ctx, a, func() (given transport.Admission, err error) {
		if err := a.tokens.Redeem(r.Proof, r.Exporter, a.Wall()); err != nil {
			return given, err
		}
		for _, card := range a.Links.Cards() { // its folder may have been set back
			a.Authority.Skip(card.Address)
		}
		address, err := a.Authority.Next()
		if err != nil {
			return given, err
		}
		if err := errors.Join(a.tokens.Save(a.Options.Folder), a.Authority.Save(a.Options.Folder)); err != nil {
			return given, err
		}
		if given.Certificate, err = a.Authority.Issue(r.Request, address, a.Wall()); err != nil {
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
func (a *Admission) Token(ctx context.Context, q api.TokenQuery) (api.Token, error) {
	switch {
	case q.Life <= 0 || q.Life > tokenLife:
		return api.Token{}, fmt.Errorf("%w: a token lives up to %v", jobs.ErrSpec, tokenLife)
	case q.Uses < 1 || q.Uses > tokenUses:
		return api.Token{}, fmt.Errorf("%w: a token has 1 to %d uses", jobs.ErrSpec, tokenUses)
	}
	return life.On(ctx, a, func() (api.Token, error) {
		if a.Authority == nil {
			return api.Token{}, errNoAuthority
		}
		t := a.Authority.NewToken(a.Wall().Add(q.Life))
		a.tokens.Forget(a.Wall())
		if err := a.tokens.Add(t, q.Uses); err != nil {
			return api.Token{}, err
		}
		token := api.Token{Version: api.Version, Text: t.Text(), Expiry: t.Expiry, Uses: q.Uses}
		return token, a.tokens.Save(a.Options.Folder)
	})
}
