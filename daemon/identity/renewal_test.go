package identity_test

import (
	"crypto/x509"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// TestRenewChangesTheEndAlone demands that a renewed certificate has the key, the URI, the name and
// the beginning of the former one, ends 30 days later than it was made, and can be renewed again.
func TestRenewChangesTheEndAlone(t *testing.T) {
	g := newGrid(t)
	rapid.Check(t, func(r *rapid.T) {
		address := protocol.Address(rapid.Uint32().Draw(r, "address"))
		id, err := g.Enrol(address, noon)
		require.NoError(r, err)
		now := noon
		for range rapid.IntRange(1, 4).Draw(r, "renewals") {
			now = now.Add(time.Duration(rapid.IntRange(1, 5*365*24).Draw(r, "hours")) * time.Hour)
			certificate, err := g.Renew(id.Certificate.Leaf, now)
			require.NoError(r, err)
			renewed, err := id.Renewed(certificate, now)
			require.NoError(r, err)
			require.Equal(r, id.Peer(), renewed.Peer())
			former, leaf := id.Certificate.Leaf, renewed.Certificate.Leaf
			require.Equal(r, former.RawSubjectPublicKeyInfo, leaf.RawSubjectPublicKeyInfo)
			require.Equal(r, former.RawSubject, leaf.RawSubject)
			require.Equal(r, former.URIs, leaf.URIs)
			require.Equal(r, former.NotBefore, leaf.NotBefore)
			require.Equal(r, former.KeyUsage, leaf.KeyUsage)
			require.Equal(r, former.ExtKeyUsage, leaf.ExtKeyUsage)
			require.Equal(r, now.Add(identity.NodeLifetime), leaf.NotAfter)
			id = renewed
		}
	})
}

// TestRenewRefuses demands that an authority signs again only keys and names that it has signed
// before.
func TestRenewRefuses(t *testing.T) {
	g, other := newGrid(t), newGrid(t)
	id := enrol(t, other, 1)
	_, err := g.Renew(id.Certificate.Leaf, noon)
	require.ErrorIs(t, err, identity.ErrRenewal)
	require.ErrorContains(t, err, "another authority has signed it")
	root, err := x509.ParseCertificate(g.Certificate())
	require.NoError(t, err)
	_, err = g.Renew(root, noon)
	require.ErrorIs(t, err, identity.ErrRenewal, "that of the authority is not one of a node")
	_, err = g.Renew(enrol(t, g, 1).Certificate.Leaf, noon.Add(-2*time.Hour))
	require.ErrorContains(t, err, "most likely the clock is wrong")
}

// TestTheAuthorityOutlivesItsMachines demands that a grid needs no new authority for 90 years.
func TestTheAuthorityOutlivesItsMachines(t *testing.T) {
	g := newGrid(t)
	root, err := x509.ParseCertificate(g.Certificate())
	require.NoError(t, err)
	require.Greater(t, root.NotAfter.Sub(noon), 90*365*24*time.Hour)
	require.NoError(t, root.CheckSignatureFrom(root))
}
