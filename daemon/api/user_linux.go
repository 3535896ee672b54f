package api

import (
	"context"
	"net"
	"os/user"
	"strconv"

	"golang.org/x/sys/unix"
)

// userKey is where the context of a request has the user.
type userKey struct{}

// WithUser gives the requests of a connection the user whose process has made it, as the kernel
// knows: what a client says of itself proves nothing. It is the ConnContext of a server.
func WithUser(ctx context.Context, c net.Conn) context.Context {
	conn, is := c.(*net.UnixConn)
	if !is {
		return ctx
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return ctx
	}
	failed := raw.Control(func(fd uintptr) {
		if peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			ctx = context.WithValue(ctx, userKey{}, peer.Uid)
		}
	})
	_ = failed // the connection is closed: nobody asks
	return ctx
}

// UserOf is the name of the user whose process has made a request, or the number of one that has no
// name here. It is empty if that is not known.
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
