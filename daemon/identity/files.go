package identity

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// Names of the files in the folder of a node, and of an authority. Keys and tokens have mode 0600.
const (
	nodeKeyFile          = "node.key"
	nodeCertificateFile  = "node.crt"
	rootsFile            = "roots.crt"
	authorityKeyFile     = "authority.key"
	authorityCertificate = "authority.crt"
	authorityRecord      = "authority.json"
	tokensFile           = "tokens.json"
)

// ErrPermissions says that a file with a secret can be read by others.
var ErrPermissions = errors.New("others can read this secret")

// CheckFolder refuses a folder of a daemon that others can enter or read: the socket and the files
// of jobs are in it, too.
func CheckFolder(dir string) error {
	about, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if about.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("the folder %s has mode %#o: %w; run chmod 700", dir, about.Mode().Perm(), ErrPermissions)
	}
	return nil
}

// IsFolder reports whether a folder has the key of a node.
func IsFolder(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, nodeKeyFile))
	return err == nil
}

// record is the state of an authority beside key and certificate.
type record struct {
	Grid   Grid   `json:"grid"`
	Issuer uint8  `json:"issuer"`
	Next   uint32 `json:"next"`
}

// Save writes the authority into a folder. The number of addresses is written first and whole, so
// that a crash gives no address twice.
func (a *Authority) Save(dir string) error {
	text, err := json.Marshal(record{a.grid, a.issuer, a.next})
	if err != nil {
		return err
	}
	if err := write(dir, authorityRecord, append(text, '\n')); err != nil {
		return err
	}
	if err := writeKey(dir, authorityKeyFile, a.key); err != nil {
		return err
	}
	return write(dir, authorityCertificate, certificates(a.certificate.Raw))
}

// LoadAuthority reads an authority from a folder. The error wraps [fs.ErrNotExist] if there is
// none, and not if only some of its files are missing.
func LoadAuthority(dir string) (*Authority, error) {
	err := complete(dir, "move what is there away if this daemon shall not be the authority",
		authorityKeyFile, authorityCertificate, authorityRecord)
	if err != nil {
		return nil, err
	}
	key, err := readKey(dir, authorityKeyFile)
	if err != nil {
		return nil, err
	}
	chain, err := readCertificates(dir, authorityCertificate)
	if err != nil {
		return nil, err
	}
	var r record
	if err := readJSON(dir, authorityRecord, &r); err != nil {
		return nil, err
	}
	return newAuthority(key, chain[0], r)
}

// ErrIncomplete says that some of the files that belong together are missing.
var ErrIncomplete = errors.New("files that belong together")

// complete returns an error if some of the files of a folder are there, and others are not.
func complete(dir, otherwise string, files ...string) error {
	var there, missing []string
	for _, file := range files {
		if _, err := os.Lstat(filepath.Join(dir, file)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, file)
		} else {
			there = append(there, file)
		}
	}
	if len(missing) == 0 || len(there) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s has %s, and not %s; restore it from a backup, or %s", ErrIncomplete, dir,
		strings.Join(there, " and "), strings.Join(missing, " and "), otherwise)
}

// Save writes the identity into a folder.
func (id *Identity) Save(dir string) error {
	key, ok := id.Certificate.PrivateKey.(*ecdsa.PrivateKey)
	if !ok {
		return fmt.Errorf("save identity %s: its key is of type %T; make the identity with New",
			id.Name, id.Certificate.PrivateKey)
	}
	var roots [][]byte
	for _, root := range id.Roots {
		roots = append(roots, root.Raw)
	}
	if err := writeKey(dir, nodeKeyFile, key); err != nil {
		return err
	}
	if err := write(dir, nodeCertificateFile, certificates(id.Certificate.Certificate[0])); err != nil {
		return err
	}
	return write(dir, rootsFile, certificates(roots...))
}

// SaveCertificate replaces the certificate in the folder of an identity that has been renewed.
func (id *Identity) SaveCertificate(dir string) error {
	return write(dir, nodeCertificateFile, certificates(id.Certificate.Certificate[0]))
}

// Load reads an identity from a folder. The error wraps [fs.ErrNotExist] if there is none.
func Load(dir string) (*Identity, error) {
	err := complete(dir, "join the machine again", nodeKeyFile, nodeCertificateFile, rootsFile)
	if err != nil {
		return nil, err
	}
	key, err := readKey(dir, nodeKeyFile)
	if err != nil {
		return nil, err
	}
	chain, err := readCertificates(dir, nodeCertificateFile)
	if err != nil {
		return nil, err
	}
	roots, err := readCertificates(dir, rootsFile)
	if err != nil {
		return nil, err
	}
	id, err := New(key, chain[0], roots...)
	if err != nil {
		return nil, fmt.Errorf("load the identity in %s: %w; restore %s, %s and %s from a backup, or join the machine again",
			dir, err, nodeKeyFile, nodeCertificateFile, rootsFile)
	}
	return id, nil
}

// Save writes the list into a folder.
func (s *Tokens) Save(dir string) error {
	text, err := json.Marshal(s.list)
	if err != nil {
		return err
	}
	return write(dir, tokensFile, append(text, '\n'))
}

// LoadTokens reads the list from a folder. Without a file the list is empty.
func LoadTokens(dir string) (*Tokens, error) {
	var s Tokens
	err := readJSON(dir, tokensFile, &s.list)
	if errors.Is(err, fs.ErrNotExist) {
		return &s, nil
	}
	return &s, err
}

// write replaces a file as a whole, with mode 0600 from the start, and makes it durable.
func write(dir, name string, text []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := fileio.WritePrivate(filepath.Join(dir, name), text); err != nil {
		return err
	}
	return fileio.Sync(dir)
}

// read reads a file that others must not be able to read if it is secret.
func read(dir, name string, secret bool) ([]byte, error) {
	path := filepath.Join(dir, name)
	file, about, err := fileio.Regular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if to, linked := os.Readlink(path); linked == nil {
			return nil, fmt.Errorf("%s is a symbolic link to %s, which is not there; restore that from a backup", path, to)
		}
		return nil, fmt.Errorf("%w; restore it from a backup", err)
	case errors.Is(err, fileio.ErrKind):
		return nil, fmt.Errorf("%w; %s, and restore the file from a backup", err, fileio.Remedy(err))
	case err != nil:
		return nil, fmt.Errorf("%w; %s", err, cmp.Or(fileio.Remedy(err), "restore it from a backup"))
	}
	defer file.Close()
	if secret {
		if err := checkSecret(path, about); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(file)
}

// checkSecret reports that others than the user of the daemon can read a file that is open, or have
// made it.
func checkSecret(path string, about fs.FileInfo) error {
	if about.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("read %s with mode %#o: %w; run chmod 600", path, about.Mode().Perm(), ErrPermissions)
	}
	if of, is := about.Sys().(*syscall.Stat_t); is && !owns(of.Uid, os.Geteuid()) {
		return fmt.Errorf("read %s, a file of user %d: %w; run chown %d", path, of.Uid, ErrPermissions, os.Geteuid())
	}
	return nil
}

// owns reports whether a file of an owner can be trusted by a process of a user: it is that user's
// or root's, who can read everything anyhow.
func owns(owner uint32, user int) bool { return owner == 0 || int64(owner) == int64(user) }

func readJSON(dir, name string, value any) error {
	text, err := read(dir, name, true)
	if err != nil {
		return err
	}
	if err := fileio.JSON(text, value); err != nil {
		return fmt.Errorf("read %s: %w; restore it from a backup", filepath.Join(dir, name), err)
	}
	return nil
}

func writeKey(dir, name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return write(dir, name, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

func readKey(dir, name string) (*ecdsa.PrivateKey, error) {
	text, err := read(dir, name, true)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, name)
	block, rest := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" || len(rest) > 0 {
		return nil, fmt.Errorf("read %s: it is not one private key in PEM; restore it from a backup", path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; restore it from a backup", path, err)
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("read %s: it is not an ECDSA key; restore it from a backup", path)
	}
	return key, nil
}

func certificates(list ...[]byte) []byte {
	var text []byte
	for _, der := range list {
		text = append(text, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	return text
}

func readCertificates(dir, name string) ([][]byte, error) {
	rest, err := read(dir, name, false)
	if err != nil {
		return nil, err
	}
	var list [][]byte
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		list = append(list, block.Bytes)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("read %s: it has no certificate in PEM; restore it from a backup", filepath.Join(dir, name))
	}
	return list, nil
}
