package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

const (
	locatePatience = 2 * time.Second
	locateEvery    = 500 * time.Millisecond // while a user waits for a job that other daemons keep
)

// find returns a copy of a job: of the table, or, if this daemon has none, from a daemon that has
// one.
func (u users) find(ctx context.Context, id string) (*jobs.Record, error) {
	r, err := on(ctx, u.Node, func() (*jobs.Record, error) { return u.copied(u.table.Find(id)) })
	if !errors.Is(err, jobs.ErrUnknown) {
		return r, err
	}
	found, failed := u.locate(ctx, id)
	if failed != nil {
		return nil, failed
	}
	if found == nil {
		return nil, err
	}
	return found, nil
}

// located is the copies that other daemons have of a job.
type located struct {
	left int
	all  []*jobs.Record
	done chan struct{}
}

// locate asks all other daemons for a job. Of several copies the newest one counts.
func (u users) locate(ctx context.Context, id string) (*jobs.Record, error) {
	l, err := on(ctx, u.Node, func() (*located, error) {
		l := &located{left: 1, done: make(chan struct{})}
		arrived := func(r *jobs.Record) {
			if r != nil {
				l.all = append(l.all, r)
			}
			if l.left--; l.left == 0 {
				close(l.done)
			}
		}
		for _, life := range u.alive() {
			l.left++
			u.ask(life, "find", id, locatePatience, nil, func(raw json.RawMessage, err error) {
				r, failed := decode[*jobs.Record](raw)
				if err != nil || failed != nil {
					r = nil
				}
				arrived(r)
			})
		}
		arrived(nil)
		return l, nil
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-u.stopped:
		return nil, api.ErrStopped
	}
	return newest(id, l.all)
}

// newest is the newest copy, or nil if there is none.
func newest(id string, all []*jobs.Record) (found *jobs.Record, err error) {
	for _, r := range all {
		switch {
		case found != nil && r.ID != found.ID:
			return nil, fmt.Errorf("%w: jobs %s and %s begin with %q; give more of the id", jobs.ErrUnknown, r.ID, found.ID, id)
		case found == nil, r.State.Final() && !found.State.Final(), r.Stamp.After(found.Stamp):
			found = r
		}
	}
	return found, nil
}

// answerFind returns the copy that this daemon has.
func (n *Node) answerFind(_ protocol.NodeID, id string) (any, error) {
	return n.copied(n.table.Find(id))
}

// await looks again and again for a job that other daemons keep, until it has ended.
func (u users) await(ctx context.Context, id string) (*jobs.Record, error) {
	for {
		r, err := u.find(ctx, id)
		if err != nil || r.State.Final() {
			return r, err
		}
		select {
		case <-time.After(locateEvery):
		case <-ctx.Done():
			return r, nil
		case <-u.stopped:
			return nil, api.ErrStopped
		}
	}
}
