package client

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/config"
	"github.com/canvass-grid/canvass/internal/cli"
	"github.com/canvass-grid/canvass/internal/fileio"
)

// Grid returns the daemon that a command asks: the named one, or the first one of canvass dev that
// is there.
func (c *Daemon) Grid(e Env) (*api.Client, error) {
	if socket := cmp.Or(c.socket, os.Getenv("CANVASS_SOCKET")); socket != "" {
		return e.client(socket), nil
	}
	if err := OwnFolder(RuntimeFolder()); err != nil {
		return nil, err
	}
	found, err := fileio.Match(RuntimeFolder(), "dev-*/n*/"+filepath.Base(config.Socket("")))
	if err != nil {
		return nil, err
	}
	if there := slices.DeleteFunc(slices.Clone(found), func(s string) bool { return !Answers(s) }); len(there) > 0 {
		// The folders of grids that have ended may be left.
		found = slices.DeleteFunc(found, func(s string) bool {
			return !slices.ContainsFunc(there, func(t string) bool { return firstOf(t) == firstOf(s) })
		})
	}
	grids := map[string]bool{} // by the socket of n1, which may have ended
	for _, socket := range found {
		grids[firstOf(socket)] = true
	}
	switch len(grids) {
	case 0:
		return nil, errors.New("no daemon found: start one with canvass dev, or name its socket with --socket or " +
			"CANVASS_SOCKET")
	case 1:
		here := firstThere(found)
		if name := filepath.Base(filepath.Dir(here)); name != "n1" {
			e.Stderr.Printf("canvass: daemon n1 has ended; asking %s instead\n", name)
		}
		return e.client(here), nil
	}
	return nil, cli.Usagef("several grids run here; name a socket with --socket or CANVASS_SOCKET: %s",
		strings.Join(slices.Sorted(maps.Keys(grids)), ", "))
}

// client asks the daemon of a socket. The error stream says if it does not answer.
func (e Env) client(socket string) *api.Client {
	return api.NewClient(socket).Telling(func(text string) { e.Stderr.Printf("canvass: %s\n", text) })
}

// firstThere is the first socket, in the order of n1, n2 and so on, that a daemon serves. If none
// does it is that of n1.
func firstThere(sockets []string) string {
	slices.SortFunc(sockets, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	if i := slices.IndexFunc(sockets, Answers); i >= 0 {
		return sockets[i]
	}
	return firstOf(sockets[0])
}

// firstOf is the socket of n1 in the grid of another one.
func firstOf(socket string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(socket)), "n1", filepath.Base(socket))
}

// Answers reports whether a daemon serves a socket.
func Answers(socket string) bool {
	c, err := net.Dial("unix", socket)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// Elsewhere is the remedy for a runtime folder that cannot be made or read.
const Elsewhere = "set XDG_RUNTIME_DIR to a folder in which this user can make another one"

// OwnFolder refuses a folder that another user could change or enter.
func OwnFolder(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; %s", err, Elsewhere)
	}
	stat, is := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || is && int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a folder that only this user can enter, so others could take your jobs; "+
			"remove it, make it yours with mode 0700, or set XDG_RUNTIME_DIR", name)
	}
	return nil
}

// RuntimeFolder is where the grids of "canvass dev" of this user live. Names of sockets must be
// short.
func RuntimeFolder() string {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" {
		return filepath.Join(os.TempDir(), fmt.Sprintf("canvass-%d", os.Getuid()))
	}
	return filepath.Join(base, "canvass")
}
