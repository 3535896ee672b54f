package cli

import (
	"context"
	"os/signal"
	"syscall"
	"time"
)

// Interruptible returns a context that ends at SIGINT or SIGTERM, and after a time if that is above
// 0. A second signal has its default effect: it ends the program.
func Interruptible(parent context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, restore := signal.NotifyContext(parent, syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, restore)
	if limit <= 0 {
		return ctx, restore
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	return limited, func() { cancel(); restore() }
}
