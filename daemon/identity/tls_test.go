package identity_test

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
)

func at(now time.Time) func() time.Time { return func() time.Time { return now } }

// connected are the ends of a connection that holds what is written and not read: a side that fails
// early says so while the other one is still writing.
func connected(t *testing.T) (near, far net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	near, err = net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	far, err = l.Accept()
	require.NoError(t, err)
	return near, far
}

// shake runs a handshake and returns what each side says of it. The client's error comes with its
// first read, since with TLS 1.3 it is done before the server has checked its certificate.
func shake(t *testing.T, server, client *tls.Config) (states [2]tls.ConnectionState, errs [2]error) {
	near, far := connected(t)
	done := make(chan struct{})
	s := tls.Server(far, server)
	go func() {
		defer close(done)
		defer far.Close()
		if errs[0] = s.Handshake(); errs[0] == nil {
			_, errs[0] = s.Write([]byte("x"))
		}
	}()
	c := tls.Client(near, client)
	if errs[1] = c.Handshake(); errs[1] == nil {
		_, errs[1] = io.ReadFull(c, make([]byte, 1))
	}
	require.NoError(t, near.Close())
	<-done
	return [2]tls.ConnectionState{s.ConnectionState(), c.ConnectionState()}, errs
}

// TestMutual demands that two nodes of a grid know each other after the handshake.
func TestMutual(t *testing.T) {
	g := newGrid(t)
	a, b := enrol(t, g, 1), enrol(t, g, 2)
	for range 2 { // the second could be a resumption
		states, errs := shake(t, b.ServerConfig(at(noon), g.Desk()), a.ClientConfig(at(noon), 2))
		require.Equal(t, [2]error{}, errs)
		for i, want := range []*identity.Identity{a, b} {
			peer, err := identity.PeerOf(states[i])
			require.NoError(t, err)
			assert.Equal(t, want.Peer(), peer)
			assert.Equal(t, uint16(tls.VersionTLS13), states[i].Version)
			assert.False(t, states[i].DidResume)
			assert.Equal(t, identity.ProtocolNode, states[i].NegotiatedProtocol)
		}
	}
	_, errs := shake(t, b.ServerConfig(at(noon), nil), a.ClientConfig(at(noon)))
	require.Equal(t, [2]error{}, errs)
}

// TestHandshakeRefuses demands that a handshake fails, and with the right error where it is
// detected, when anything about a certificate is wrong.
func TestHandshakeRefuses(t *testing.T) {
	g, other := newGrid(t), newGrid(t)
	a, b, foreign := enrol(t, g, 1), enrol(t, g, 2), enrol(t, other, 2)
	server, client := 0, 1
	for _, test := range []struct {
		name           string
		server, client *tls.Config
		detects        int
	}{
		{"address", b.ServerConfig(at(noon), nil), a.ClientConfig(at(noon), 3), client},
		{"server of another grid", foreign.ServerConfig(at(noon), nil), a.ClientConfig(at(noon)), client},
		{"client of another grid", b.ServerConfig(at(noon), nil), trusting(foreign, b), server},
		{"server expired", b.ServerConfig(at(noon), nil), a.ClientConfig(at(noon.Add(31 * 24 * time.Hour))), client},
		{"client expired", b.ServerConfig(at(noon.Add(31*24*time.Hour)), nil), a.ClientConfig(at(noon)), server},
		{"not yet valid", b.ServerConfig(at(noon), nil), a.ClientConfig(at(noon.Add(-2 * time.Hour))), client},
		{"authority as node", b.ServerConfig(at(noon), nil), asAuthority(t, g, a), server},
		{"no protocol", b.ServerConfig(at(noon), nil), without(a.ClientConfig(at(noon))), client},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, errs := shake(t, test.server, test.client)
			require.Error(t, errs[0])
			require.Error(t, errs[1])
			require.ErrorIs(t, errs[test.detects], identity.ErrCertificate)
		})
	}
	t.Run("no certificate", func(t *testing.T) {
		config := a.ClientConfig(at(noon))
		config.Certificates = nil
		_, errs := shake(t, b.ServerConfig(at(noon), g.Desk()), config)
		require.Error(t, errs[server])
		require.Error(t, errs[client])
	})
	t.Run("TLS 1.2", func(t *testing.T) {
		config := a.ClientConfig(at(noon))
		config.MinVersion, config.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
		_, errs := shake(t, b.ServerConfig(at(noon), nil), config)
		require.Error(t, errs[server])
	})
}

// trusting is a client with the certificate of one node that accepts the grid of another.
func trusting(has, trusts *identity.Identity) *tls.Config {
	config := trusts.ClientConfig(at(noon))
	config.Certificates = []tls.Certificate{has.Certificate}
	return config
}

// asAuthority is a client that shows the certificate of an authority.
func asAuthority(t *testing.T, g *identity.Authority, a *identity.Identity) *tls.Config {
	dir := t.TempDir()
	require.NoError(t, g.Save(dir))
	certificate, err := tls.LoadX509KeyPair(dir+"/authority.crt", dir+"/authority.key")
	require.NoError(t, err)
	config := a.ClientConfig(at(noon))
	config.Certificates = []tls.Certificate{certificate}
	return config
}

func without(config *tls.Config) *tls.Config {
	config.NextProtos = nil
	return config
}

// TestExpiryIsExplained demands that an error about time names both times.
func TestExpiryIsExplained(t *testing.T) {
	g := newGrid(t)
	later := noon.AddDate(1, 0, 0)
	client, err := g.Enrol(1, later)
	require.NoError(t, err)
	_, errs := shake(t, enrol(t, g, 2).ServerConfig(at(noon), nil), client.ClientConfig(at(later)))
	require.ErrorContains(t, errs[1], "valid from 2031-05-01T11:00:00Z to 2031-05-31T12:00:00Z")
	require.ErrorContains(t, errs[1], "clock of this node says 2032-05-01T12:00:00Z")
}

// TestTwoRoots demands that during a replacement of the authority nodes of both trust each other.
func TestTwoRoots(t *testing.T) {
	g := newGrid(t)
	a, b := enrol(t, g, 1), enrol(t, g, 2)
	next, err := x509.ParseCertificate(newGrid(t).Certificate())
	require.NoError(t, err)
	a.Roots = append([]*x509.Certificate{next}, a.Roots...)
	_, errs := shake(t, b.ServerConfig(at(noon), g.Desk()), a.ClientConfig(at(noon)))
	require.Equal(t, [2]error{}, errs)
	_, errs = shake(t, a.ServerConfig(at(noon), g.Desk()), b.ClientConfig(at(noon)))
	require.Equal(t, [2]error{}, errs)
}

// A node of another grid, and an authority that is not valid now, are called that, with what to do.
func TestWhyNoAuthorityCertifies(t *testing.T) {
	g, other := newGrid(t), newGrid(t)
	a, foreign := enrol(t, g, 1), enrol(t, other, 2)
	_, errs := shake(t, foreign.ServerConfig(at(noon), nil), a.ClientConfig(at(noon)))
	require.ErrorContains(t, errs[1], "the two nodes have joined different grids: look at the address, or join again")
	begins, err := identity.NewGrid(noon.AddDate(0, 0, 10))
	require.NoError(t, err)
	early, late := enrol(t, begins, 1), enrol(t, begins, 2)
	_, errs = shake(t, late.ServerConfig(at(noon), nil), early.ClientConfig(at(noon)))
	require.ErrorContains(t, errs[1], "that of the authority: ")
	require.ErrorContains(t, errs[1], "most likely the clock is wrong, and 9 days behind or more; set it")
}

// TestJoining demands that token and node recognise each other's grid, that both ends have the same
// keying material, and that another connection has another.
func TestJoining(t *testing.T) {
	g, other := newGrid(t), newGrid(t)
	hub := enrol(t, g, 1)
	token := g.NewToken(noon.Add(time.Hour))
	var seen [][]byte
	for range 2 {
		states, errs := shake(t, hub.ServerConfig(at(noon), g.Desk()), token.ClientConfig(at(noon)))
		require.Equal(t, [2]error{}, errs)
		assert.Equal(t, identity.ProtocolJoin, states[0].NegotiatedProtocol)
		_, err := identity.PeerOf(states[0])
		require.ErrorIs(t, err, identity.ErrCertificate) // the server sees no certificate
		there, err := identity.Exporter(states[0])
		require.NoError(t, err)
		here, err := identity.Exporter(states[1])
		require.NoError(t, err)
		require.Equal(t, there, here)
		seen = append(seen, here)
	}
	assert.NotEqual(t, seen[0], seen[1])

	_, errs := shake(t, enrol(t, other, 1).ServerConfig(at(noon), other.Desk()), token.ClientConfig(at(noon)))
	require.ErrorIs(t, errs[1], identity.ErrCertificate)
	elsewhere := token
	elsewhere.Grid = other.Grid()
	_, errs = shake(t, hub.ServerConfig(at(noon), g.Desk()), elsewhere.ClientConfig(at(noon)))
	require.ErrorIs(t, errs[1], identity.ErrCertificate)
	_, errs = shake(t, enrol(t, g, 2).ServerConfig(at(noon), nil), token.ClientConfig(at(noon)))
	require.ErrorContains(t, errs[1], "node C does not have the key of the grid's authority")
	_, errs = shake(t, hub.ServerConfig(at(noon), g.Desk()), token.ClientConfig(at(noon.AddDate(101, 0, 0))))
	require.ErrorIs(t, errs[1], identity.ErrCertificate)
}

// TestNobodyElseAnswersAJoin demands that a member cannot stand in for the authority, with any
// certificates for its own key, and that a joiner trusts the authority of its token alone.
func TestNobodyElseAnswersAJoin(t *testing.T) {
	g, evil := newGrid(t), newGrid(t)
	token, member := g.NewToken(noon.Add(time.Hour)), enrol(t, g, 2)
	shows := func(key any, chain ...[]byte) *tls.Certificate {
		return &tls.Certificate{Certificate: chain, PrivateKey: key}
	}
	own := member.Certificate.PrivateKey
	namesake := &x509.Certificate{ // a root of the same grid, with another key
		SerialNumber: g.Desk().Leaf.SerialNumber, NotBefore: noon, NotAfter: noon.AddDate(1, 0, 0), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign, URIs: g.Desk().Leaf.URIs,
	}
	key, err := identity.NewKey()
	require.NoError(t, err)
	root, err := x509.CreateCertificate(rand.Reader, namesake, namesake, key.Public(), key)
	require.NoError(t, err)
	for _, forged := range []*tls.Certificate{
		shows(own, member.Certificate.Certificate[0]),
		shows(own, member.Certificate.Certificate[0], g.Certificate()),
		shows(own, g.Certificate()),
		shows(own, g.Certificate(), member.Certificate.Certificate[0]),
		evil.Desk(),
		shows(key, root),
		shows(key, root, g.Certificate()),
		shows(evil.Desk().PrivateKey, evil.Certificate(), g.Certificate()),
		shows(evil.Desk().PrivateKey, g.Certificate(), evil.Certificate()),
	} {
		_, errs := shake(t, member.ServerConfig(at(noon), forged), token.ClientConfig(at(noon)))
		require.Error(t, errs[1])
	}

	states, errs := shake(t, member.ServerConfig(at(noon), g.Desk()), token.ClientConfig(at(noon)))
	require.Equal(t, [2]error{}, errs)
	request, err := identity.Request(key)
	require.NoError(t, err)
	certificate, err := g.Issue(request, 3, noon)
	require.NoError(t, err)
	joined, err := token.Joined(key, states[1], certificate)
	require.NoError(t, err)
	require.Len(t, joined.Roots, 1)
	require.Equal(t, g.Certificate(), joined.Roots[0].Raw)
	foreign, err := evil.Issue(request, 3, noon)
	require.NoError(t, err)
	_, err = token.Joined(key, states[1], foreign)
	require.ErrorIs(t, err, identity.ErrCertificate)
}

// TestWrongName demands that a certificate with the name of another key is refused, though the
// authority signed it.
func TestWrongName(t *testing.T) {
	g := newGrid(t)
	a := enrol(t, g, 1)
	leaf := a.Certificate.Leaf
	other := enrol(t, g, 2).Certificate.PrivateKey.(*ecdsa.PrivateKey)
	_, err := identity.PeerOf(tls.ConnectionState{PeerCertificates: []*x509.Certificate{
		{URIs: leaf.URIs, PublicKey: other.Public()},
	}})
	require.ErrorIs(t, err, identity.ErrCertificate)
	_, err = identity.PeerOf(tls.ConnectionState{PeerCertificates: []*x509.Certificate{
		{URIs: leaf.URIs, PublicKey: leaf.PublicKey},
	}})
	require.NoError(t, err)
}
