package life

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/rpc"
	"github.com/canvass-grid/canvass/protocol"
)

// Part is a part of a daemon: it runs on the runtime.
type Part interface{ ground() *Runtime }

func (r *Runtime) ground() *Runtime { return r }

// On runs a function on the node's goroutine and returns its results. A result that comes too late
// is dropped.
func On[T any](ctx context.Context, part Part, f func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	n, answered := part.ground(), make(chan answer, 1)
	select {
	case n.Inbox <- n.timed(func() { value, err := f(); answered <- answer{value, err} }):
	case <-n.Stopped:
		return none, n.Ending()
	case <-ctx.Done():
		return none, ctx.Err()
	}
	a, err := Received(ctx, n, answered)
	return a.value, cmp.Or(err, a.err)
}

// Asked runs a function on the node's goroutine that asks other daemons, and waits for its result.
func Asked[T any](ctx context.Context, part Part, ask func(done func(T))) (T, error) {
	n, answered := part.ground(), make(chan T, 1)
	if !n.Post(func() { ask(func(value T) { answered <- value }) }) {
		var none T
		return none, n.Ending()
	}
	return Received(ctx, n, answered)
}

// Received waits for a value from the node's goroutine, or for the close of the channel.
func Received[T any](ctx context.Context, part Part, answered <-chan T) (value T, err error) {
	n := part.ground()
	select {
	case value = <-answered:
	case <-ctx.Done():
		err = ctx.Err()
	case <-n.Stopped:
		err = n.Ending()
	}
	return value, err
}

// Ending is the error that users receive from a daemon that has stopped, with its remedy. A daemon
// whose disk has failed does not restart by itself, so they need not wait for it.
func (r *Runtime) Ending() error {
	<-r.Stopped
	switch {
	case errors.Is(r.Reason, disk.ErrStorage):
		return fmt.Errorf("the daemon of node %v has ended: %w", r.Self, r.Reason)
	case errors.Is(r.Reason, ErrFenced):
		return api.Errorf(api.ErrStopped, "the daemon of node %v has ended: %v; %s", r.Self, r.Reason, FencedNext)
	case r.Reason != nil:
		return api.Errorf(api.ErrStopped, "the daemon of node %v has ended: %v", r.Self, r.Reason)
	case r.Left:
		return api.Errorf(api.ErrStopped, "node %v has left the grid, and its daemon ends; ask another one", r.Self)
	}
	return api.Errorf(api.ErrStopped, "the daemon of node %v was stopped", r.Self)
}

// Query asks a daemon for a user, and waits for the answer.
func Query[Q, R any](
	ctx context.Context, part Part, m rpc.Method[Q, R], to protocol.NodeID, request Q, patience time.Duration,
) (R, error) {
	type answer struct {
		response R
		err      error
	}
	a, err := Asked(ctx, part, func(done func(answer)) {
		m.Ask(part.ground().Calls, rpc.Living(to).Within(patience), request, func(response R, err error) {
			done(answer{response, err})
		})
	})
	return a.response, cmp.Or(err, a.err)
}
