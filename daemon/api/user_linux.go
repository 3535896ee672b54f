package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"
)

// userKey is where the context of a request has the user, and refusedKey why it is refused.
type (
	userKey    struct{}
	refusedKey struct{}
)

// Guard is the ConnContext of a server that serves this user alone, and root. It takes the user of
// a connection from the kernel: claims of a client prove nothing. The modes of socket and folder
// are a second lock. InTask reports processes of tasks: they run as this user, too, and are
// refused.
func Guard(inTask func(pid int) bool) func(context.Context, net.Conn) context.Context {
	return func(ctx context.Context, c net.Conn) context.Context {
		peer, err := peerOf(c)
		switch {
		case err != nil:
			err = fmt.Errorf("who connects is not known: %w", err)
		case !isOwn(peer.Uid):
			err = fmt.Errorf("user %d is not the user of this daemon", peer.Uid)
		case peer.Pid > 0 && inTask(int(peer.Pid)):
			err = errors.New("a task cannot use the socket of a daemon")
		}
		if err != nil {
			return context.WithValue(ctx, refusedKey{}, fmt.Errorf("%w: %w", ErrRefused, err))
		}
		return context.WithValue(ctx, userKey{}, peer.Uid)
	}
}

// isOwn reports whether a user is that of this process, or root.
func isOwn(user uint32) bool { return user == 0 || int(user) == os.Geteuid() }

// peerOf is the process at the other end of a Unix socket: the client, or the server.
func peerOf(c net.Conn) (peer *unix.Ucred, err error) {
	conn, is := c.(*net.UnixConn)
	if !is {
		return nil, errors.ErrUnsupported
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	failed := raw.Control(func(fd uintptr) {
		peer, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	return peer, errors.Join(err, failed)
}

// trusted refuses a socket that another user serves: the request could contain a secret. Root may
// ask the daemon of any user.
func trusted(c net.Conn, socket string) error {
	peer, err := peerOf(c)
	if err != nil {
		return fmt.Errorf("who serves %s is not known: %w", socket, err)
	}
	if !isOwn(peer.Uid) && os.Geteuid() != 0 {
		return &strangerError{socket, peer.Uid}
	}
	return nil
}

// UserOf is the name of the user whose process has made a request, or its number if it has no name
// here. It is empty if that is not known.
func UserOf(ctx context.Context) string {
	uid, known := ctx.Value(userKey{}).(uint32)
	if !known {
		return ""
	}
	text := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(text); err == nil {
		return u.Username
	}
	return text
}
