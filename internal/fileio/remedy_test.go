package fileio_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// Causes that the kernel and the resolver have really given, each wrapped.
func TestACauseHasARemedy(t *testing.T) {
	folder := t.TempDir()
	file, loop := filepath.Join(folder, "file"), filepath.Join(folder, "loop")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Symlink("loop", loop))
	open := func(name string) error { _, err := os.Open(name); return err }
	listen := func(address string) error { _, err := net.Listen("tcp", address); return err }
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, _, kind := fileio.Regular(folder)
	for want, err := range map[string]error{
		"move it away":                kind,
		"file that is where a folder": open(filepath.Join(file, "below")),
		"folder that is where a file": os.WriteFile(folder, nil, 0o600),
		"leads back to itself":        open(loop),
		"choose a shorter name":       open(filepath.Join(folder, strings.Repeat("x", 300))),
		"choose another port":         listen(l.Addr().String()),
		"address of this machine":     listen("203.0.113.1:17411"),
		"resolves here":               listen("nowhere"),
		"or an IP address":            &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true},
		"choose a higher port":        &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EACCES},
		"with chown or chmod":         syscall.EACCES,
		"can be written":              syscall.EROFS,
		"free space there":            syscall.EDQUOT,
		"limit of open files":         syscall.EMFILE,
		"limit of the size of files":  syscall.EFBIG,
		"open files of the machine":   syscall.ENFILE,
	} {
		require.Error(t, err, want)
		assert.Contains(t, fileio.Remedy(fmt.Errorf("begin: %w", err)), want, "%v", err)
	}
	assert.Empty(t, fileio.Remedy(errors.New("nothing known")))
	assert.Empty(t, fileio.Remedy(nil))
}
