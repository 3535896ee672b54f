//go:build !linux

package api

import (
	"context"
	"net"
)

// WithUser knows no users where daemons do not run.
func WithUser(ctx context.Context, _ net.Conn) context.Context { return ctx }

// UserOf is empty: the user is not known.
func UserOf(context.Context) string { return "" }
