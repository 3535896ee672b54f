package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/identity"
	"github.com/canvass-grid/canvass/protocol"
)

// noon is a time for certificates; no test reads a clock.
var noon = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

func newGrid(t *testing.T) *identity.Authority {
	a, err := identity.NewGrid(noon)
	require.NoError(t, err)
	return a
}

func enrol(t *testing.T, a *identity.Authority, address protocol.Address) *identity.Identity {
	id, err := a.Enrol(address, noon)
	require.NoError(t, err)
	return id
}

// TestName pins the name of a key, since logs and certificates hold it.
func TestName(t *testing.T) {
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), unhex(t, // the base point of the curve
		"046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"+
			"4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"))
	require.NoError(t, err)
	name, err := identity.NameOf(key)
	require.NoError(t, err)
	assert.Equal(t, identity.Name("ltjff6ym5cjsinx27dgn"), name)
	_, err = identity.NameOf("no key")
	require.Error(t, err)
}

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	return b
}

// TestNextIsNew demands that no address is given twice, also by an authority that was loaded again.
func TestNextIsNew(t *testing.T) {
	a, dir := newGrid(t), t.TempDir()
	given := map[protocol.Address]bool{}
	for range 3 {
		for range 3 {
			address, err := a.Next()
			require.NoError(t, err)
			require.False(t, given[address])
			given[address] = true
		}
		require.NoError(t, a.Save(dir))
		var err error
		a, err = identity.LoadAuthority(dir)
		require.NoError(t, err)
	}
}

// TestSaved demands that loading returns the saved identity, and that only its owner can read it.
func TestSaved(t *testing.T) {
	a, dir := newGrid(t), filepath.Join(t.TempDir(), "new", "folder")
	id := enrol(t, a, 5)
	token, tokens := a.NewToken(noon), &identity.Tokens{}
	require.NoError(t, tokens.Add(token, 2))
	require.NoError(t, a.Save(dir))
	require.NoError(t, id.Save(dir))
	require.NoError(t, tokens.Save(dir))

	a2, err := identity.LoadAuthority(dir)
	require.NoError(t, err)
	assert.Equal(t, a, a2)
	id2, err := identity.Load(dir)
	require.NoError(t, err)
	assert.Equal(t, id.Peer(), id2.Peer())
	assert.Equal(t, id.Certificate.Certificate, id2.Certificate.Certificate)
	tokens2, err := identity.LoadTokens(dir)
	require.NoError(t, err)
	assert.Equal(t, tokens.List(), tokens2.List())

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		about, err := e.Info()
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o600), about.Mode(), e.Name())
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		assert.NotContains(t, string(text), token.Text())
	}
}

// TestLoadRefuses demands an error for each kind of damage to a folder.
func TestLoadRefuses(t *testing.T) {
	a, other := newGrid(t), newGrid(t)
	saved := func(t *testing.T) string {
		dir := t.TempDir()
		require.NoError(t, a.Save(dir))
		require.NoError(t, enrol(t, a, 5).Save(dir))
		return dir
	}
	foreign := t.TempDir()
	require.NoError(t, other.Save(foreign))
	require.NoError(t, enrol(t, other, 5).Save(foreign))

	t.Run("nothing", func(t *testing.T) {
		_, err := identity.Load(t.TempDir())
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = identity.LoadAuthority(t.TempDir())
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
	t.Run("readable key", func(t *testing.T) {
		dir := saved(t)
		require.NoError(t, os.Chmod(filepath.Join(dir, "node.key"), 0o640))
		_, err := identity.Load(dir)
		require.ErrorIs(t, err, identity.ErrPermissions)
	})
	t.Run("key of another user", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a file away")
		}
		dir := saved(t)
		require.NoError(t, os.Chown(filepath.Join(dir, "authority.key"), 12345, -1))
		_, err := identity.LoadAuthority(dir)
		require.ErrorIs(t, err, identity.ErrPermissions)
	})
	for _, file := range []string{
		"node.key", "node.crt", "roots.crt", "authority.key", "authority.crt", "authority.json",
	} {
		load := func(dir string) error {
			_, err := identity.Load(dir)
			_, err2 := identity.LoadAuthority(dir)
			if err == nil {
				return err2
			}
			return err
		}
		t.Run("without "+file, func(t *testing.T) {
			dir := saved(t)
			require.NoError(t, os.Remove(filepath.Join(dir, file)))
			err := load(dir)
			require.ErrorIs(t, err, identity.ErrIncomplete)
			require.NotErrorIs(t, err, fs.ErrNotExist)
			require.ErrorContains(t, err, "and not "+file+";")
		})
		t.Run("cut "+file, func(t *testing.T) {
			dir := saved(t)
			require.NoError(t, load(dir))
			require.NoError(t, os.Truncate(filepath.Join(dir, file), 20))
			require.Error(t, load(dir))
		})
		for kind, make := range map[string]func(string) error{
			"a named pipe": func(name string) error { return syscall.Mkfifo(name, 0o600) },
			"a folder":     func(name string) error { return os.Mkdir(name, 0o700) },
		} {
			t.Run(kind+" for "+file, func(t *testing.T) {
				dir := saved(t)
				name := filepath.Join(dir, file)
				require.NoError(t, os.Remove(name))
				require.NoError(t, make(name))
				err := load(dir)
				require.ErrorContains(t, err, name+" is no regular file, but "+kind)
				require.ErrorContains(t, err, "move it away, and restore the file from a backup")
			})
		}
		t.Run("foreign "+file, func(t *testing.T) {
			dir := saved(t)
			text, err := os.ReadFile(filepath.Join(foreign, file))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
			require.Error(t, load(dir))
		})
	}
}

// TestIssueRefuses demands that a certificate is issued only for a P-256 key whose owner asks.
func TestIssueRefuses(t *testing.T) {
	a := newGrid(t)
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	require.NoError(t, err)
	large, err := identity.Request(key)
	require.NoError(t, err)
	key, err = identity.NewKey()
	require.NoError(t, err)
	forged, err := identity.Request(key)
	require.NoError(t, err)
	forged[len(forged)-1] ^= 1
	for name, request := range map[string][]byte{"P-384": large, "forged": forged, "garbage": []byte("x"), "empty": nil} {
		_, err := a.Issue(request, 1, noon)
		require.ErrorIs(t, err, identity.ErrRequest, name)
	}
}

// TestNewRefuses demands that key, certificate and roots belong together.
func TestNewRefuses(t *testing.T) {
	a, other := newGrid(t), newGrid(t)
	id := enrol(t, a, 1)
	key := id.Certificate.PrivateKey.(*ecdsa.PrivateKey)
	leaf := id.Certificate.Certificate[0]
	wrong, err := identity.NewKey()
	require.NoError(t, err)

	_, err = identity.New(key, leaf, a.Certificate())
	require.NoError(t, err)
	_, err = identity.New(wrong, leaf, a.Certificate())
	require.ErrorIs(t, err, identity.ErrCertificate)
	_, err = identity.New(key, leaf, other.Certificate())
	require.ErrorIs(t, err, identity.ErrCertificate)
	_, err = identity.New(key, leaf, leaf)
	require.ErrorIs(t, err, identity.ErrCertificate)
	_, err = identity.New(key, a.Certificate(), a.Certificate())
	require.ErrorIs(t, err, identity.ErrCertificate)
	_, err = identity.New(key, leaf)
	require.Error(t, err)
}

// TestAnAuthorityThatWasSetBack demands that it gives no address again of a node that is known.
func TestAnAuthorityThatWasSetBack(t *testing.T) {
	a := newGrid(t)
	for _, known := range []protocol.Address{0, 7, 3, 1<<24 + 40} { // the last one is another issuer's
		a.Skip(known)
	}
	address, err := a.Next()
	require.NoError(t, err)
	require.Equal(t, protocol.Address(8), address)
	a.Skip(1<<24 - 1)
	_, err = a.Next()
	require.Error(t, err)
}

// TestCheckFolder demands a folder that no other user can read or enter.
func TestCheckFolder(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0o750, 0o705, 0o701, 0o777, 0o710} {
		require.NoError(t, os.Chmod(dir, mode))
		require.ErrorIs(t, identity.CheckFolder(dir), identity.ErrPermissions)
		require.ErrorContains(t, identity.CheckFolder(dir), "run chmod 700")
	}
	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, identity.CheckFolder(dir))
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	require.NoError(t, identity.CheckFolder(link))
	require.Error(t, identity.CheckFolder(filepath.Join(dir, "none")))
}

// FuzzRequest has an authority certify what a node that joins sends: only a request for a key of
// the one kind, signed with that key, has a certificate, and the certificate takes nothing from the
// text of the request.
func FuzzRequest(f *testing.F) {
	a, err := identity.NewGrid(noon)
	require.NoError(f, err)
	key, err := identity.NewKey()
	require.NoError(f, err)
	request, err := identity.Request(key)
	require.NoError(f, err)
	f.Add(request)
	f.Add(request[:len(request)/2])
	f.Add(a.Certificate())
	f.Fuzz(func(t *testing.T, der []byte) {
		certificate, err := a.Issue(der, 5, noon)
		if err != nil {
			require.ErrorIs(t, err, identity.ErrRequest)
			return
		}
		leaf, err := x509.ParseCertificate(certificate)
		require.NoError(t, err)
		require.False(t, leaf.IsCA)
		require.Empty(t, leaf.DNSNames)
		peer, err := identity.PeerOf(tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}})
		require.NoError(t, err)
		require.Equal(t, protocol.Address(5), peer.Address)
		require.Equal(t, a.Grid(), peer.Grid)
	})
}

// FuzzPeer reads the URI of a certificate: only the one way to write a node is accepted.
func FuzzPeer(f *testing.F) {
	a, err := identity.NewGrid(noon)
	require.NoError(f, err)
	id, err := a.Enrol(7, noon)
	require.NoError(f, err)
	f.Add(id.Peer().String())
	for _, text := range []string{
		"canvass://g/1/n", "canvass://%2f/01/x?y#z", "//", "canvass:opaque", "canvass://u:p@h/1/2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := url.Parse(text)
		if err != nil {
			return
		}
		leaf := &x509.Certificate{URIs: []*url.URL{u}, PublicKey: id.Certificate.Leaf.PublicKey}
		peer, err := identity.PeerOf(tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}})
		if err != nil {
			require.ErrorIs(t, err, identity.ErrCertificate)
			return
		}
		require.Equal(t, u.String(), peer.String())
		require.Equal(t, id.Name, peer.Name)
	})
}
